import type { Data } from './facts.js'

/** One operation, and the components that only it needs. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  readonly parameters?: readonly Data[]
  readonly body?: Data
  readonly responses: Data
  /** Absent: a token. */
  readonly security?: readonly Data[]
  readonly description?: string
}

export const bearer: Data = { bearer: [] }
/** Anybody, whether they send a token or not. */
export const open: readonly Data[] = []
/** A token, or none. */
export const optional: readonly Data[] = [{}, bearer]

/** @param usual What is said once for all operations, and of those that differ. */
export function operationData(operation: Operation, usual: readonly Data[]): Data {
  const { operationId, summary, tag, description, parameters = [], body } = operation
  const { security = [bearer] } = operation
  const isUsual = JSON.stringify(security) === JSON.stringify(usual)
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...(isUsual ? {} : { security: [...security] }),
    ...(parameters.length === 0 ? {} : { parameters: [...parameters] }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: operation.responses,
  }
}
