declare module '../../manifest/words.js' {
  interface ManifestWords {
    /** Emits `tests/authorization.test.ts`, which notes who may do what, route by route, for review. Default true. */
    readonly authorizationTests?: boolean
  }
}

export {}
