import type { Data } from '../facts.js'
import { printResponses, type Responses } from './statuses.js'

/** One operation, and the components that only it needs. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  readonly parameters?: readonly Data[]
  readonly preferences?: readonly Preference[]
  readonly body?: Data
  readonly responses: Responses
  /** Absent: a token. */
  readonly security?: readonly Data[]
  readonly description?: string
  /** It cannot be undone: `/docs` asks before it sends the request. Of DELETE, everybody knows. */
  readonly isDestructive?: boolean
}

/** A preference of a request: one value of its `Prefer` header. */
export interface Preference {
  /** The parameter, where an operation takes no other. */
  readonly alone: Data
  readonly description: string
  /** A regular expression for the value. */
  readonly pattern: string
}

/** As a parameter of its own: two may not have one name. */
export const preferenceParameter = ({ description, pattern }: Omit<Preference, 'alone'>): Data => ({
  name: 'Prefer',
  in: 'header',
  description,
  schema: { type: 'string', pattern: `^${pattern}$` },
})

function parametersOf({ parameters = [], preferences = [] }: Operation): readonly Data[] {
  const [first, ...others] = preferences
  if (first === undefined) return parameters
  if (others.length === 0) return [...parameters, first.alone]
  const one = `(${preferences.map(({ pattern }) => pattern).join('|')})`
  const description = preferences.map((each) => each.description).join(' ')
  const all = preferenceParameter({ description, pattern: `${one}(, ?${one})*` })
  return [...parameters, all]
}

export const bearer: Data = { bearer: [] }
/** Anybody, whether they send a token or not. */
export const open: readonly Data[] = []
/** A token, or none. */
export const optional: readonly Data[] = [{}, bearer]

const asksFor = (security: readonly Data[]): string => {
  if (security.length === 0) return 'Anybody may ask.'
  return security.length === 1 ? 'Asks for a token.' : 'Takes a token, and does without.'
}

/**
 * An operation as JSON: written at once, for there may be ten thousand.
 * @param usual What is said once for all operations, and of those that differ.
 */
export function printOperation(operation: Operation, usual: readonly Data[]): string {
  const { operationId, summary, tag, description, body } = operation
  const parameters = parametersOf(operation)
  const { security = [bearer] } = operation
  const asks = asksFor(security)
  const isUsual = JSON.stringify(security) === JSON.stringify(usual)
  const data = {
    operationId,
    summary,
    description: description === undefined ? asks : `${asks} ${description}`,
    tags: [tag],
    ...(isUsual ? {} : { security }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    ...(operation.isDestructive === true ? { 'x-destructive': true } : {}),
  }
  return `${JSON.stringify(data).slice(0, -1)},"responses":${printResponses(operation.responses)}}`
}
