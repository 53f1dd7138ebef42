declare module '../../manifest/words.js' {
  interface RepositoryWords {
    /**
     * `GET /api/svc/search?search=lamp` looks here too, in what `searchable` lists; a record is shown by its `title`. `subtitle`: a field
     * that is shown below it.
     */
    readonly globalSearch?: boolean | GlobalSearchOptions
  }
}

export interface GlobalSearchOptions {
  readonly subtitle?: string
}
