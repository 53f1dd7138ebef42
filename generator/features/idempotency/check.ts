import type { Context } from '../../blueprint/entity-draft.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { MANIFEST, type Finding } from '../../blueprint/problems.js'
import type { Column, FeatureTable } from '../../blueprint/types.js'
import { aSwitch } from '../a-switch.js'

export const idempotencyCheck: FeatureCheck = {
  ...aSwitch('idempotency'),
  facts: ({ idempotency }, context) => {
    if (idempotency !== true) return undefined
    for (const each of problemsOf(context)) context.report(each)
    return true
  },
  tables: () => [keptAnswers],
}

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
