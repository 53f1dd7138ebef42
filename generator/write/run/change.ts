/** One file of the project, before and after; null: there is none. */
export interface Change {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  /** The file it takes its permissions from, when that is another one. */
  readonly from?: string | undefined
}
