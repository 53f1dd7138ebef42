import { isSet } from '../../plan/feature.js'
import { projectView } from '../../plan/views/project.js'
import type { Feature } from '../../write/feature.js'
import { replicasCheck } from './check.js'

export const replicas: Feature = {
  name: 'readReplicas',
  check: replicasCheck,
  outputs: [{ of: 'project', path: 'app/replicas.ts', owner: 'svc', view: projectView }],
  slots: ({ name, auth }) => ({
    imports: {
      'app/app.ts': [{ from: './replicas.js', names: ['replicas'] }],
      'app/server.ts': [{ from: './replicas.js', names: ['replicas'] }],
      'app/env.ts': [{ from: '#runtime/features/replicas/env.js', names: ['replicaEnv'] }],
      'app/Http/middleware.ts':
        auth === null ? [] : [{ from: '#app/replicas.js', names: ['replicas'] }],
    },
    app_before_routes: ['app.use(replicas.request) // says where it reads'],
    server_close_before: ['await replicas.close()'],
    env_variables: ['...replicaEnv,'],
    env_example_database: [
      '# Replicas of DATABASE_URL that requests read from, separated by commas; none: everything is read there.',
      `# DATABASE_REPLICA_URLS=postgresql://postgres:postgres@127.0.0.1:5433/${name}`,
      '# Milliseconds that a replica may be behind; one that is further is not read from.',
      '# DATABASE_REPLICA_LAG_MS=5000',
      '# What a replica must know before somebody reads from it: own (what they wrote), changes (what anybody changed or removed, too), all.',
      '# DATABASE_REPLICA_KNOWS=changes',
    ],
    // A token is read with how far replicas must be for its user.
    middleware_token: auth === null ? [] : ['also: replicas.also'],
  }),
  settings: [
    {
      rule: 'replicas',
      name: 'DATABASE_REPLICA_URLS',
      isFound: (value) => !isSet(value),
      message: 'is not set: everything is read in the primary',
      fix: 'name replicas, or leave readReplicas out of the manifest',
    },
  ],
}
