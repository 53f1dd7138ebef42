import { Gauge, type Registry } from 'prom-client'

interface Watched {
  readonly options: { readonly name: string }
  /** Why it is not read from; null: it is. */
  readonly fault: string | null
  readonly pool: { readonly totalCount: number; readonly waitingCount: number }
}

/** Measures the replicas that are read from, and their connections. */
export function measureReplicas(registry: Registry, replicas: readonly Watched[]): void {
  const gauge = (name: string, help: string, value: (replica: Watched) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['replica'],
      registers: [registry],
      collect() {
        for (const each of replicas) this.set({ replica: each.options.name }, value(each))
      },
    })
  gauge('database_replica_used', '1: requests read from it.', ({ fault }) =>
    fault === null ? 1 : 0,
  )
  gauge('database_replica_connections', 'Connections to it.', ({ pool }) => pool.totalCount)
  gauge('database_replica_waiting', 'Who waits for one.', ({ pool }) => pool.waitingCount)
}
