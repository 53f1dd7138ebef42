import type { Entity } from '../../blueprint/types.js'

export interface ControllerView {
  readonly source: string
  readonly name: string
  /** Functions of respond.ts. */
  readonly answers: readonly string[]
  readonly hasRelations: boolean
  readonly hasPivots: boolean
}

export function controllerView(entity: Entity): ControllerView {
  const { source, name, relations } = entity
  const hasPivots = relations.some(({ pivot }) => pivot !== null)
  const pivotAnswers = hasPivots ? ['attached', 'detached', 'synced'] : []
  const answers = ['created', 'noContent', 'paginated', 'respond', ...pivotAnswers].toSorted()
  return { source, name, answers, hasRelations: relations.length > 0, hasPivots }
}
