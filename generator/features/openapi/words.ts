declare module '../../manifest/words.js' {
  interface ManifestWords {
    /** Emits `app/OpenApi/openapi.json`, the document of the API in OpenAPI 3.1, and serves it. Default true. */
    readonly openapi?: boolean
  }
}

export {}
