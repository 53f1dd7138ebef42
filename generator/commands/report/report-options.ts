/** Options of a run's report. */
export interface ReportOptions {
  readonly isChecking: boolean
  readonly isWriting: boolean
  readonly isColored: boolean
  /** Ways to settle a conflict, besides merging by hand. */
  readonly settling?: string
  /** The project begins as an example, whose files no plan makes and nobody edited yet. */
  readonly isExample?: boolean
}
