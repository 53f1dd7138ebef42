declare module '../../manifest/words.js' {
  interface ManifestWords {
    /**
     * `'together'`: the mutations of one GraphQL request are one transaction, and one that fails undoes all. Absent: each is
     * done or not.
     */
    readonly mutations?: 'together'
  }
}

export {}
