import type { Row } from '../tested.js'
import type { Scene, Stage } from './scene.js'

/** A row and one that is related to it. */
export interface Pair {
  readonly scene: Scene
  readonly parent: Row
  readonly related: Row
  readonly target: string
}

/** Names of a pair in the matrix, and how it comes about. */
export interface Pairing {
  readonly row: readonly string[]
  readonly make: (stage: Stage, isLinked: boolean) => Promise<Pair>
}
