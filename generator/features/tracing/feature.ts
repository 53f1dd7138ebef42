import { projectView } from '../../plan/views/project.js'
import type { Feature } from '../../write/feature.js'
import { aSwitch } from '../a-switch.js'

export const tracing: Feature = {
  name: 'tracing',
  check: aSwitch('tracing'),
  outputs: [{ of: 'project', path: 'app/tracing.ts', owner: 'svc', view: projectView }],
  packages: () => ({
    dependencies: [
      '@opentelemetry/api',
      '@opentelemetry/context-async-hooks',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
    ],
  }),
  slots: () => ({
    imports: {
      'app/app.ts': [{ from: './tracing.js', names: ['tracing'] }],
      'app/server.ts': [{ from: './tracing.js', names: ['tracing'] }],
      'app/env.ts': [{ from: '#runtime/features/tracing/env.js', names: ['tracingEnv'] }],
    },
    app_before_log: ['app.use(tracing.request) // a span'],
    server_close_after: ['await tracing.close()'],
    env_variables: ['...tracingEnv,'],
  }),
  texts: ({ name }) => ({
    variables: [
      {
        name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
        remarks: [
          'Where spans go: http://collector:4318. Without it nothing is traced. OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER … count too.',
        ],
      },
      { name: 'OTEL_SERVICE_NAME', value: name },
    ],
  }),
}
