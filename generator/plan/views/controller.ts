import type { Entity } from '../../blueprint/types.js'

export interface ControllerView {
  readonly source: string
  readonly name: string
  readonly hasRelations: boolean
  readonly hasPivots: boolean
}

export function controllerView(entity: Entity): ControllerView {
  const { source, name, relations, morphs } = entity
  return {
    source,
    name,
    hasRelations: relations.length + (morphs?.length ?? 0) > 0,
    hasPivots: hasPivots(entity),
  }
}

export const hasPivots = ({ relations }: Entity) => relations.some(({ pivot }) => pivot !== null)
