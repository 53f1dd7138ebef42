import type { BaseContext } from 'clipanion'

/** What a command is run with. */
export interface SvcContext extends BaseContext {
  /** The project is here. */
  readonly cwd: string
}
