import { lostHooksText, type Project } from '../project.js'
import type { Slots } from '../render/slots.js'

export interface ServerView {
  /** More than the database is closed at the end. */
  readonly closesMore: boolean
  readonly slots: Slots
  /**
   * Warnings about hooks that their developer deleted or renamed: nobody else tells the person who
   * runs the server.
   */
  readonly warnings: readonly string[]
}

export function serverView({ lostHooks, slots }: Project): ServerView {
  const closed = [...slots.server_close_before, ...slots.server_close_after]
  const warnings = lostHooks.map((path) => `${path} ${lostHooksText}`)
  return { closesMore: closed.length > 0, slots, warnings }
}
