declare module '../../manifest/words.js' {
  interface ManifestWords {
    /** Limits the requests of one token or address; `requests` of `config/svc.ts` says to how many. Default false. */
    readonly rateLimit?: boolean
  }
}

export {}
