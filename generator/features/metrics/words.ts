declare module '../../manifest/words.js' {
  interface ManifestWords {
    /** Serves `/metrics` for Prometheus and logs slow statements; adds the package `prom-client`. Default false. */
    readonly metrics?: boolean
  }
}

export {}
