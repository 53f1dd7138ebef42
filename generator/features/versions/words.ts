declare module '../../manifest/words.js' {
  interface RepositoryWords {
    /**
     * Each record has a number that every write of it counts up: the `ETag` of answers, and `meta.version`. `If-Match` with it
     * changes that version or none (412). `'required'`: no change without it (428). The number is the column `version`, or the
     * one that you name, which may be there already.
     *
     * @example versioned: true
     * @example versioned: { column: 'lock_version', required: true }
     */
    readonly versioned?: boolean | 'required' | VersionColumn
  }
}

export interface VersionColumn {
  readonly column: string
  readonly required?: boolean
}
