declare module '../../manifest/words.js' {
  interface RepositoryWords {
    /**
     * Many records in one request, all or none: `POST /posts/bulk` makes those of a list, `PATCH /posts/bulk` changes those whose
     * `id` it names, `POST /posts/bulk/delete` deletes `{ "ids": [] }`; `createPostList` and others in GraphQL. `max`: records of
     * one request, in place of `limits.bulk_rows` of config/svc.ts.
     */
    readonly bulk?: boolean | BulkOptions
  }
}

export interface BulkOptions {
  readonly max?: number
}
