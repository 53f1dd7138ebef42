import { expect, test } from 'vitest'
import { mutate } from '../../../generator/features/explain/commands/mutation/mutate.js'
import { ts } from '../../../generator/source/ts-morph.js'

const policy = `import { any } from '#runtime/policy/condition.js'
import { isStaff } from '#app/roles.js'

export const PostPolicy = {
  show: (user) => any({ published: true }, { owner_id: user?.id }),
  store: () => true,
  update: (user) => isStaff(user) || { owner_id: user?.id, status: 'open' },
  delete: (user) => ({ author: { is: { id: user?.id ?? undefined } } }),
  canUpdate: { status: isStaff },
}
`

const roles = `export const isStaff = (user) => user !== null && user.role === 'staff'
`

async function mutated(texts: Readonly<Record<string, string>>) {
  const found = mutate(ts, new Map(Object.entries(texts)))
  const lines = found.mutants.map(
    ({ file, line, column, rule, kind, was, became }) =>
      `${file.replace('app/', '')}:${line}:${column} ${rule} ${kind} ${was} → ${became}`,
  )
  return { ...found, lines }
}

const files = { 'app/Policies/PostPolicy.ts': policy, 'app/roles.ts': roles }

test('each place of a policy is mutated in each way there is, with where it stands', async () => {
  const { lines } = await mutated(files)
  expect(lines.map((line) => line.replace('Policies/PostPolicy.ts:', ''))).toEqual([
    '5:9 show true (user) => any({ published: true }, { owner_id: user?.id }) → true',
    '5:23 show dropped { published: true } → ',
    '5:44 show dropped { owner_id: user?.id } → ',
    '5:25 show negated published: true → not published: true',
    '5:46 show negated owner_id: user?.id → not owner_id: user?.id',
    "7:11 update true (user) => isStaff(user) || { owner_id: user?.id, status: 'open' } → true",
    '7:21 update dropped isStaff(user) → ',
    "7:38 update dropped { owner_id: user?.id, status: 'open' } → ",
    '7:21 update negated isStaff(user) → not isStaff(user)',
    '7:40 update dropped owner_id: user?.id → ',
    '7:40 update negated owner_id: user?.id → not owner_id: user?.id',
    "7:60 update dropped status: 'open' → ",
    "7:60 update negated status: 'open' → not status: 'open'",
    "7:38 update any { owner_id: user?.id, status: 'open' } → any({ owner_id: user?.id }, { status: 'open' })",
    '8:11 delete true (user) => ({ author: { is: { id: user?.id ?? undefined } } }) → true',
    '8:24 delete negated author: { is: { id: user?.id ?? undefined } } → not author: { is: { id: user?.id ?? undefined } }',
    '8:40 delete dropped id: user?.id ?? undefined → ',
    '8:40 delete negated id: user?.id ?? undefined → not id: user?.id ?? undefined',
    '8:44 delete undefined user?.id ?? undefined → user?.id',
    '9:24 canUpdate.status gate isStaff → true',
    "roles.ts:1:24 isStaff true (user) => user !== null && user.role === 'staff' → true",
    'roles.ts:1:34 isStaff dropped user !== null → ',
    "roles.ts:1:51 isStaff dropped user.role === 'staff' → ",
    "roles.ts:1:34 isStaff any user !== null && user.role === 'staff' → user !== null || user.role === 'staff'",
    'roles.ts:1:34 isStaff negated user !== null → not user !== null',
    "roles.ts:1:51 isStaff negated user.role === 'staff' → not user.role === 'staff'",
  ])
})

test('lines keep their numbers, and what did not change keeps its name', async () => {
  const before = await mutated(files)
  const [, text = ''] = [...before.texts][0] ?? []
  expect(text.split('\n')).toHaveLength(policy.split('\n').length)
  const edited = policy.replace("status: 'open'", "status: 'new'")
  const after = await mutated({ ...files, 'app/Policies/PostPolicy.ts': edited })
  const known = new Set(before.mutants.map(({ id }) => id))
  const changed = after.mutants.filter(({ id }) => !known.has(id))
  expect(new Set(changed.map(({ rule }) => rule))).toEqual(new Set(['update']))
  expect(new Set(after.mutants.map(({ id }) => id)).size).toBe(after.mutants.length)
})
