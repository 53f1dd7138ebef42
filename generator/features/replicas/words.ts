declare module '../../manifest/words.js' {
  interface ManifestWords {
    /** Reads from the replicas that `DATABASE_REPLICA_URLS` names, and keeps that users read what they wrote; PostgreSQL. Default false. */
    readonly readReplicas?: boolean
  }
}

export {}
