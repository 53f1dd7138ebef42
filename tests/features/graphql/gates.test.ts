import { describe, expect, test } from 'vitest'
import { readClosedFields } from '../../../generator/load/field-gates.js'
import { folder } from '../../core/write/folder.js'

const policy = (gates: string, imports = '') =>
  folder({
    'app/Policies/PostPolicy.ts': `${imports}
import type { PolicyFor, PostModel } from '../Models.js'
const isOpen = false
export const PostPolicy: PolicyFor<PostModel> = { show: () => true, ${gates} }`,
  })

const shown = async (gates: string, imports?: string) => [
  ...((await readClosedFields(policy(gates, imports), 'Post'))?.shown ?? []),
]

describe('field gates at generation', () => {
  test.each([
    ['refuses everyone', '() => false', true],
    ['refuses everyone in a block', 'function (user) { return false }', true],
    ['refuses everyone in a method', '(_user) => (false)', true],
    ['asks for an id', '(user) => user.id > 1', false],
    ['asks for another id', '(user) => user?.id === 7', false],
    [
      'asks for one of several',
      '(user) => user?.id !== undefined && [2, 3].includes(user.id)',
      false,
    ],
    ['shows it to guests', '(user) => user === null', false],
    ['asks the environment', "() => process.env.SHOW_DATES === '1'", false],
    ['asks something beside it', '() => isOpen', false],
    ['lets everyone pass', '() => true', false],
    ['asks whether someone is signed in', '(user) => user !== null', false],
    ['asks for permission', "(user) => user.can('see title') === true", false],
    ['asks for a ban', "(user) => !user.cannot('see title')", false],
    ['asks a column of the user', '(user) => user?.is_admin === true', false],
    ['calls something else', "(user) => user.team().owner.name === 'x'", false],
    ['throws', '() => { throw new Error() }', false],
  ])('a gate that %s: closed is %3$s', async (_what, gate, isClosed) => {
    expect(await shown(`canSee: { title: ${gate} }`)).toEqual(isClosed ? ['title'] : [])
  })

  test('a field is closed to writing when neither store nor update writes it', async () => {
    const root = policy(
      'canStore: { a: () => false, b: () => false }, canUpdate: { a: () => false }',
    )
    expect([...((await readClosedFields(root, 'Post'))?.written ?? [])]).toEqual(['a'])
  })

  test('nothing that a policy imports is run: no database is needed', async () => {
    const imports =
      "import { database } from '../database.js'\nimport { boom } from 'no-such-package'\nawait_(database.query(boom.a.b()))\nfunction await_(x: unknown) { return x }"
    expect(await shown('canSee: { title: () => false }', imports)).toEqual(['title'])
  })

  test('a policy that is missing or broken closes nothing', async () => {
    expect(await readClosedFields(folder({}), 'Post')).toBeNull()
    expect(
      await readClosedFields(folder({ 'app/Policies/PostPolicy.ts': 'canSee {{' }), 'Post'),
    ).toBeNull()
  })
})
