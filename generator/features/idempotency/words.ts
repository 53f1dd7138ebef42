declare module '../../manifest/words.js' {
  interface ManifestWords {
    /**
     * Requests that write may have an `Idempotency-Key`: the same one again is not done again, and gets the answer of the first.
     * Answers are kept in a table, for as long as `idempotency` of `config/svc.ts` says. Default false.
     */
    readonly idempotency?: boolean
  }
}

export {}
