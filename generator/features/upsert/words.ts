declare module '../../manifest/words.js' {
  interface RepositoryWords {
    /**
     * Unique fields, or lists of fields that are `unique` together, by which a request may change the record that is there, or
     * make it: `POST /products?upsertBy=sku`, with `bulk` also `POST /products/bulk?upsertBy=company_id,code`; `upsertProduct` in
     * GraphQL. 201: it was made; 200: it was changed.
     *
     * @example upsertBy: ['sku']
     * @example upsertBy: ['sku', ['company_id', 'code']]
     */
    readonly upsertBy?: readonly (string | readonly string[])[]
  }
}

export {}
