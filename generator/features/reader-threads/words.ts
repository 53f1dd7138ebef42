declare module '../../manifest/words.js' {
  interface ManifestWords {
    /** SQLite: what goes through a large table is read on threads while others are served, and a total is kept until somebody writes. Default true. */
    readonly readerThreads?: boolean
  }
}

export {}
