import { projectView } from '../../plan/views/project.js'
import type { Feature } from '../../write/feature.js'
import { idempotencyCheck } from './check.js'
import { idempotencyReader } from './reader.js'

const folder = '#runtime/features/idempotency'

export const idempotency: Feature = {
  name: 'idempotency',
  check: idempotencyCheck,
  reader: idempotencyReader,
  outputs: [{ of: 'project', path: 'app/idempotency.ts', owner: 'svc', view: projectView }],
  slots: () => ({
    imports: {
      'app/Http/resources.ts': [{ from: '#app/idempotency.js', names: ['idempotency'] }],
      'app/GraphQL/endpoint.ts': [{ from: '#app/idempotency.js', names: ['idempotency'] }],
      'config/svc.ts': [{ from: `${folder}/config.js`, names: ['defineIdempotency'] }],
    },
    resources_around: ['idempotency'],
    config_exports: [settings],
    readme_change: [
      '| how long answers are kept for `Idempotency-Key` | `idempotency` in `config/svc.ts` |',
    ],
  }),
  document: async () => (await import('./document.js')).keysInDocument,
  client: async () => (await import('./client.js')).keysInClient,
}

const settings = `
/** Answers that are kept for requests with an \`Idempotency-Key\`: all that the answer says, for its user alone. */
export const idempotency = defineIdempotency({
  /** For how long the same request gets the same answer. */
  hours: 24,
  /** When a crash left a request undone, how long after its start the next try may do it. */
  running_seconds: 10,
})`
