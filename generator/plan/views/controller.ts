import type { Entity } from '../../blueprint/types.js'

export interface ControllerView {
  readonly source: string
  readonly name: string
}

export function controllerView(entity: Entity): ControllerView {
  return { source: entity.source, name: entity.name }
}
