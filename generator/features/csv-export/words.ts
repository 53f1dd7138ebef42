declare module '../../manifest/words.js' {
  interface RepositoryWords {
    /**
     * Lists as files for programs for tables: an index and a search answer `Accept: text/csv` with all records that are found. `max`: how
     * many records one has, 50,000 unless given; more is 400. `bom`: it begins with a mark by which Excel knows UTF-8.
     */
    readonly export?: boolean | ExportWord
  }
}

export interface ExportWord {
  readonly max?: number
  readonly bom?: boolean
}
