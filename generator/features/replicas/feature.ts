import { MANIFEST, type Finding } from '../../blueprint/problems.js'
import type { Column, FeatureTable } from '../../blueprint/types.js'
import { isSet } from '../../plan/feature.js'
import { projectView } from '../../plan/views/project.js'
import type { Feature } from '../../write/feature.js'
import { aSwitch } from '../a-switch.js'

export const replicas: Feature = {
  name: 'readReplicas',
  check: {
    ...aSwitch('readReplicas'),
    facts: ({ readReplicas, database }, { report }) => {
      if (readReplicas !== true) return undefined
      if (database === 'sqlite') report(noReplicas)
      return true
    },
    tables: () => [readPositions],
  },
  outputs: [{ of: 'project', path: 'app/replicas.ts', owner: 'svc', view: projectView }],
  slots: ({ auth }) => ({
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
    // A token is read with how far replicas must be for its user.
    middleware_token: auth === null ? [] : ['also: replicas.also'],
  }),
  texts: ({ name }) => ({
    variables: [
      {
        name: 'DATABASE_REPLICA_URLS',
        value: `postgresql://postgres:postgres@127.0.0.1:5433/${name}`,
        remarks: [
          'Replicas of DATABASE_URL that requests read from, separated by commas; none: everything is read there.',
        ],
        place: 'database',
      },
      {
        name: 'DATABASE_REPLICA_LAG_MS',
        value: '5000',
        remarks: [
          'Milliseconds that a replica may be behind; one that is further is not read from.',
        ],
        place: 'database',
      },
      {
        name: 'DATABASE_REPLICA_KNOWS',
        value: 'changes',
        remarks: [
          'What a replica must know before somebody reads from it: own (what they wrote), changes (what anybody changed or removed, too), all.',
        ],
        place: 'database',
      },
    ],
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

const noReplicas: Finding = {
  rule: 'replicas-of-sqlite',
  at: [MANIFEST, 'readReplicas'],
  message: 'readReplicas is true, and an SQLite file has no replicas',
  fix: "leave it out, or database: 'postgresql'",
}

const plain = { nullable: false, unique: false, indexed: false, hidden: true, readonly: true }
const text = (name: string): Column => ({ ...plain, name, role: 'field', kind: 'text' })

/** The position that a replica must have before somebody reads from it: past their last write. */
const readPositions: FeatureTable = {
  name: 'read_positions',
  model: 'ReadPosition',
  columns: [{ ...text('reader'), role: 'id' }, text('position')],
}
