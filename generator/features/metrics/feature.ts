import { isSet, isInBlueprint } from '../../plan/feature.js'
import type { Project } from '../../plan/project.js'
import type { Feature } from '../../write/feature.js'
import { aSwitch } from '../a-switch.js'

export const metrics: Feature = {
  name: 'metrics',
  check: aSwitch('metrics'),
  reader: {
    configKeys: { operations: { slow_statement_ms: true } },
  },
  outputs: [{ of: 'project', path: 'app/metrics.ts', owner: 'svc', view: metricsView }],
  packages: () => ({ dependencies: ['prom-client'] }),
  slots: () => ({
    imports: {
      'app/app.ts': [{ from: './metrics.js', names: ['metrics'] }],
      'app/env.ts': [{ from: '#runtime/features/metrics/config.js', names: ['metricsEnv'] }],
      'config/svc.ts': [
        { from: '#runtime/features/metrics/config.js', names: ['defineOperations'] },
      ],
    },
    app_after_log: ['app.use(metrics.request) // counted and timed'],
    app_routes_first: ["app.get('/metrics', metrics.page)"],
    env_variables: ['...metricsEnv,'],
    config_exports: [operations],
  }),
  texts: () => ({
    variables: [
      {
        name: 'METRICS_TOKEN',
        remarks: [
          'Who reads /metrics sends it as a bearer token: openssl rand -hex 32. Without it, in production nobody reads.',
        ],
      },
    ],
    routes: [
      {
        route: '`/metrics`',
        what: 'for Prometheus, with `METRICS_TOKEN`; without one in development, from this machine',
      },
    ],
  }),
  routes: () => [
    {
      method: 'GET',
      path: '/metrics',
      controller: 'app/metrics.ts',
      policy: null,
      does: { is: 'feature', feature: 'metrics', operation: 'show' },
    },
  ],
  settings: [
    {
      rule: 'metrics',
      name: 'METRICS_TOKEN',
      isFound: (value) => !isSet(value),
      message: 'is not set: /metrics answers everybody with 403',
      fix: 'openssl rand -hex 32, and the same in the settings of Prometheus',
    },
  ],
}

const operations = `
export const operations = defineOperations({
  /** Statements that take longer are logged, with places for values instead of values; null: none. */
  slow_statement_ms: 500,
})`

export interface MetricsView {
  readonly hasReplicas: boolean
}

function metricsView({ blueprint }: Project): MetricsView {
  return { hasReplicas: isInBlueprint('readReplicas', blueprint) }
}
