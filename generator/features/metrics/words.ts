export interface MetricsWords {
  /** Serves `/metrics` for Prometheus and logs slow statements; adds the package `prom-client`. Default false. */
  readonly metrics?: boolean
}
