import type { Trial } from './outcome.js'
import type { Stage } from './scene.js'

/** A line of the matrix. */
export interface Line {
  /** The repository, or the heading of what belongs to none. */
  readonly of: string
  readonly label: string
  /** True: the line lists rows, and does nothing. */
  readonly isList?: boolean
  /** Why there is nothing to try. */
  readonly words?: string
  readonly attempt: (stage: Stage) => Promise<readonly Trial[]>
}
