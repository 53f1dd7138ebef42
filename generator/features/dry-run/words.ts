declare module '../../manifest/words.js' {
  interface ManifestWords {
    /**
     * With `?dryRun=true` a request that writes does all that it does, and is then rolled back: 200 with the rows of each table
     * that it would have written, or the error that it would have had. Default false.
     */
    readonly dryRun?: boolean
  }
}

export {}
