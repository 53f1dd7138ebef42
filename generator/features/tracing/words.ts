declare module '../../manifest/words.js' {
  interface ManifestWords {
    /** Sends OpenTelemetry traces where `OTEL_EXPORTER_OTLP_ENDPOINT` says; adds its packages. Default false. */
    readonly tracing?: boolean
  }
}

export {}
