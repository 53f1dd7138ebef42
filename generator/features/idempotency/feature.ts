import type { Context } from '../../blueprint/entity-draft.js'
import { MANIFEST, type Finding } from '../../blueprint/problems.js'
import type { Column, FeatureTable } from '../../blueprint/types.js'
import { projectView } from '../../plan/views/project.js'
import type { Feature } from '../../write/feature.js'
import { aSwitch } from '../a-switch.js'
import type { ClientPart } from '../client/names.js'
import type { DocumentPart } from '../openapi/api.js'
import { takesWrite } from '../openapi/operations/resource-operations.js'
import { failure, responses } from '../openapi/operations/statuses.js'

const folder = '#runtime/features/idempotency'

export const idempotency: Feature = {
  name: 'idempotency',
  check: {
    ...aSwitch('idempotency'),
    facts: ({ idempotency }, context) => {
      if (idempotency !== true) return undefined
      for (const each of problemsOf(context)) context.report(each)
      return true
    },
    tables: () => [keptAnswers],
  },
  reader: {
    configKeys: { idempotency: { hours: true, running_seconds: true } },
  },
  outputs: [{ of: 'project', path: 'app/idempotency.ts', owner: 'svc', view: projectView }],
  slots: () => ({
    imports: {
      'app/Http/resources.ts': [{ from: '#app/idempotency.js', names: ['idempotency'] }],
      'app/GraphQL/endpoint.ts': [{ from: '#app/idempotency.js', names: ['idempotency'] }],
      'config/svc.ts': [{ from: `${folder}/config.js`, names: ['defineIdempotency'] }],
    },
    resources_around: ['idempotency'],
    config_exports: [settings],
  }),
  texts: () => ({
    changes: [
      {
        what: 'how long answers are kept for `Idempotency-Key`',
        where: '`idempotency` in `config/svc.ts`',
      },
    ],
  }),
  document: async () => keysInDocument,
  client: async () => keysInClient,
}

const settings = `
/** Answers that are kept for requests with an \`Idempotency-Key\`: all that the answer says, for its user alone. */
export const idempotency = defineIdempotency({
  /** For how long the same request gets the same answer. */
  hours: 24,
  /** When a crash left a request undone, how long after its start the next try may do it. */
  running_seconds: 10,
})`

const problemsOf = ({ auth, drafts }: Context): readonly Finding[] => [
  ...(auth === null ? [nobody] : []),
  ...drafts.flatMap(({ path, names }) =>
    names.table === keptAnswers.name || names.name === keptAnswers.model ? [taken(path)] : [],
  ),
]

const nobody: Finding = {
  rule: 'idempotency-without-users',
  at: [MANIFEST, 'idempotency'],
  message:
    'idempotency is true, and there is no sign-in: svc keeps each answer for the user who sent the request',
  fix: 'leave it out, or `svc setup-auth`, which adds users',
}

const taken = (path: string): Finding => ({
  rule: 'idempotency-taken',
  at: [path],
  message: `'${path}' is called as what keeps answers for Idempotency-Key: table 'idempotency_keys', type 'IdempotencyKey'`,
  fix: `another name, or leave idempotency out`,
})

const plain = { nullable: false, unique: false, indexed: false, hidden: true, readonly: true }
const text = (name: string): Column => ({ ...plain, name, role: 'field', kind: 'text' })

/** Requests with a key: running, or done and with their answer. */
const keptAnswers: FeatureTable = {
  name: 'idempotency_keys',
  model: 'IdempotencyKey',
  columns: [
    { ...text('key'), role: 'id' },
    text('fingerprint'),
    text('attempt'),
    { ...text('running_until'), kind: 'dateTime' },
    { ...text('status'), kind: 'integer', nullable: true },
    { ...text('headers'), nullable: true },
    { ...text('body'), nullable: true },
    { ...text('expires_at'), kind: 'dateTime', indexed: true },
  ],
}

/** Writes may be repeated with a key. */
const keysInClient: ClientPart = {
  sends: () => [
    {
      name: 'idempotencyKey',
      type: 'string',
      header: "'idempotency-key': idempotencyKey",
      remark:
        'A new text for each thing to do, such as `crypto.randomUUID()`: then it is done once, however often it has to be sent.',
      repeats: true,
    },
  ],
}

/** A key that any write of records takes, and what is answered for it. */
const keysInDocument: DocumentPart = {
  around: (operation, route) => {
    // Routes that answer secrets keep no answers.
    if (!takesWrite(route)) return operation
    const { success, failures, invalid } = operation.responses
    return {
      ...operation,
      parameters: [
        ...(operation.parameters ?? []),
        { $ref: '#/components/parameters/IdempotencyKey' },
      ],
      responses: responses(success, [...failures, 400, 409, 422], invalid),
    }
  },
  components: () => ({
    parameters: {
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'A new text for each thing to do, such as a UUID. The same request with the same one is done once, and gets the first answer again, with `Idempotency-Replayed`.',
        schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
      },
    },
    responses: {
      '409': failure(
        'Other records still use this one, or the request with this `Idempotency-Key` is running.',
        { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } },
      ),
      '422': failure('The `Idempotency-Key` belongs to another request.'),
    },
  }),
}
