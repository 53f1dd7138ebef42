declare module '../../manifest/words.js' {
  interface RepositoryWords {
    /**
     * Deleting a record puts it into the trash: its column `deleted_at` says since when, and until it is brought back it is
     * nowhere. Values are unique among the others. `column`: where the table has a column of that kind already.
     */
    readonly softDeletes?: boolean | SoftDeletesOptions
  }
}

export interface SoftDeletesOptions {
  /** `deleted_at` unless you say. */
  readonly column?: string
  /**
   * Relations whose records go into the trash with a record, at the same instant, and come back with it: `hasMany`, `hasOne`
   * and their morphs, of repositories that delete softly themselves. Their policies and hooks are not asked.
   */
  readonly cascade?: readonly string[]
  /** `npm run prune` deletes for good what has been in the trash for longer; without, it stays. */
  readonly keepDays?: number
}
