/** `svc why`, asked of the shop as its seed leaves it. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { answerWhy } from '../../../runtime/features/explain/answer.js'
import { openExample, signIn, type Ask } from '../../core/cli/example.js'
import { emptyFolder, linkDependencies, newProject, svc } from '../../core/cli/project.js'
import { fill } from '../../core/write/folder.js'
import { databases, toldOn } from '../../support/databases.js'
import { load, type Project } from '../../support/project.js'
import { scriptsShareAProcess } from '../../support/resident.js'

scriptsShareAProcess()

type Question = readonly [
  line: readonly string[],
  who: string,
  method: string,
  path: string,
  body?: object,
]

/** As a person asks, and as a client does. */
const questions: readonly Question[] = [
  [['orders', '2', 'dan@example.com'], 'dan', 'GET', '/svc/orders/2'],
  [['orders', '2', '3'], 'cleo', 'GET', '/svc/orders/2'],
  [['orders', '2', 'guest'], 'guest', 'GET', '/svc/orders/2'],
  [['orders', '99', 'ben@example.com'], 'ben', 'GET', '/svc/orders/99'],
  [['products', '1', 'guest'], 'guest', 'GET', '/svc/products/1'],
  [['products', '1', 'guest', 'update'], 'guest', 'PATCH', '/svc/products/1', {}],
  [['orders', '2', 'cleo@example.com', 'delete'], 'cleo', 'DELETE', '/svc/orders/2'],
  [
    ['orders', '2', 'cleo@example.com', 'update'],
    'cleo',
    'PATCH',
    '/svc/orders/2',
    { status: 'shipped' },
  ],
  [
    ['orders', '2', 'cleo@example.com', 'update'],
    'cleo',
    'PATCH',
    '/svc/orders/2',
    { status: 'open' },
  ],
  [
    ['orders', '2', 'cleo@example.com', 'update'],
    'cleo',
    'PATCH',
    '/svc/orders/2',
    { status: 'gone' },
  ],
  [
    ['reviews', 'new', 'dan@example.com', 'store'],
    'dan',
    'POST',
    '/svc/reviews',
    { product_id: 1, rating: 1 },
  ],
  [
    ['reviews', 'new', 'dan@example.com', 'store'],
    'dan',
    'POST',
    '/svc/reviews',
    { product_id: 8, rating: 4 },
  ],
  [['PATCH /api/svc/orders/2'], 'ben', 'PATCH', '/svc/orders/2', { note: 'Ring twice' }],
  [['DELETE /api/svc/users/3', 'ada@example.com'], 'ada', 'DELETE', '/svc/users/3'],
  [
    ['GET /api/svc/orders?status=shipped', 'cleo@example.com'],
    'cleo',
    'GET',
    '/svc/orders?status=shipped',
  ],
]

type AnswerWhy = typeof answerWhy

/** The policies and users of a project, as its own code has them. */
async function askedProject({ folder }: Project): Promise<Parameters<AnswerWhy>[0]> {
  const { repositories } = await load(folder, 'app/Repositories/index.ts')
  const { users } = await load(folder, 'app/auth.ts')
  return { repositories: Object.values(repositories), users }
}

async function asked(project: Project, [line, who, method, path, body]: Question) {
  const asks: Ask =
    who === 'guest' ? (verb, at) => project.request(verb, `/api${at}`) : await signIn(project, who)
  const [about = '', ...words] = line.length === 1 ? [...line, `${who}@example.com`] : line
  const [id = '', user = '', operation = 'show'] = about.includes(' ') ? ['', ...words] : words
  // First the question: the request may change what it is about.
  const question = { about, id, user, operation, body: body === undefined ? null : { ...body } }
  const found = await answerWhy(await askedProject(project), { ...question, field: null })
  if (found.kind === 'unanswerable') throw new Error(found.message)
  const { status } = await asks(method, path, body)
  return { line, why: found.why, status }
}

/** What both ask of the database is proved in `tests/core/kernel`. */
describe.each(toldOn('sqlite'))('svc why on %s', (name) => {
  let project: Project
  beforeAll(async () => void (project = await openExample('shop', name)))

  const why = async (...line: readonly string[]) => {
    const { code, out, errors } = await svc(project.folder, 'why', ...line)
    return { code, out: out + errors }
  }
  const who = async (...line: readonly string[]) => svc(project.folder, 'who', ...line)

  test('says what the request will answer', async () => {
    for (const question of questions) {
      const { line, why, status } = await asked(project, question)
      expect([line, why.sentence, why.status]).toEqual([line, why.sentence, status])
      const isEmpty = why.sentence.startsWith('No: the list is empty')
      expect([line, why.answer]).toEqual([line, status < 300 && !isEmpty ? 'yes' : 'no'])
    }
  })

  test('names the line that decides and the filter that empties a list, and exits with 0 for yes and 1 for no', async () => {
    expect(await why('orders', '4', 'cleo@example.com')).toEqual({
      code: 1,
      out: `No: Cleo Marsh (user 3) does not see orders/4: it is there, and hidden (404).

show, of the record: no  app/Policies/OrderPolicy.ts:8
  no       customer_id is the user's id, 3  (the record has 4)  ← decides
`,
    })
    expect(await why('GET /api/svc/products?search=lamp&price=10,11', 'guest')).toEqual({
      code: 1,
      out: `No: the list is empty, because a filter admits none of them: price=10,11.

  9  all products
  8  show of app/Policies/ProductPolicy.ts: is_active is true
  0  price=10,11  ← empties the list
  0  search='lamp'
`,
    })
    expect((await why('GET /api/svc/orders/1/lines', 'dan@example.com')).out).toContain(
      'Dan Iversen (user 4) does not see orders/1',
    )
    expect((await why('lines', '1', 'dan@example.com')).out).toContain(
      'no       its order  (1 of orders, 0 like that)  ← decides\n',
    )
  })

  test('says whether a field of the body would be written', async () => {
    expect(
      (await why('orders', '4', 'ben@example.com', 'update', '--field', 'handler_id')).out,
    ).toBe(
      `Yes: Ben Okafor (user 2) may update orders/4, and 'handler_id' is written.

show: yes, whatever the record  (for what the user's role is)  app/Policies/OrderPolicy.ts:8

update: yes, whatever the record  (for what the user's role is)  app/Policies/OrderPolicy.ts:10

canUpdate.handler_id: yes  (for what the user's role is)  app/Policies/OrderPolicy.ts:14

What it may become is asked with a body: \`updateTo\` says it.
`,
    )
  })

  test('of a rule with several answers says which one it gave, whatever the file of the policy is called', async () => {
    const path = 'app/Policies/OrderPolicy.ts'
    const policy = readFileSync(join(project.folder, path), 'utf8')
    const repository = 'app/Repositories/OrderRepository.ts'
    const served = readFileSync(join(project.folder, repository), 'utf8')
    fill(project.folder, {
      'app/Policies/Orders.ts': policy.replace(
        /^ {2}show: .*/m,
        `  show: (user) => {
    if (user?.role === 'staff') return true
    return { customer_id: user?.id }
  },`,
      ),
      [repository]: served.replace('#app/Policies/OrderPolicy.js', '#app/Policies/Orders.js'),
    })
    const shown = async (user: string) => (await why('orders', '4', user)).out
    expect(await shown('cleo@example.com')).toContain('record: no  app/Policies/Orders.ts:10\n')
    expect(await shown('ben@example.com')).toContain('role is)  app/Policies/Orders.ts:9\n')
    fill(project.folder, { [repository]: served })
  })

  test('answers programs as JSON', async () => {
    const json = await why('orders', '1', 'cleo@example.com', '--json')
    expect(JSON.parse(json.out)).toMatchObject({
      ...{ operation: 'show', repository: 'orders', id: '1', answer: 'yes', status: 200 },
      user: { id: '3', name: 'Cleo Marsh' },
      steps: [{ tree: { verdict: 'yes', column: { name: 'customer_id', row: 3, from: 'id' } } }],
    })
  })

  test('svc who counts those who may, by the rule that lets them', async () => {
    expect(await who('orders', '4')).toEqual({
      code: 0,
      errors: '',
      out: `3 of 4 users may see orders/4. A guest may not.

  2  show: whatever the record, for the user's role
       Ada Lovelace (1), Ben Okafor (2)
  1  show: customer_id is the user's id
       Dan Iversen (4)
`,
    })
    const roles = await who('orders', '4', 'delete', '--role', 'staff', '--json')
    expect(roles.code).toBe(1)
    expect(JSON.parse(roles.out)).toMatchObject({ asked: 1, count: 0, groups: [], role: 'staff' })
    expect((await who('orders', '4', 'store')).code).toBe(2)
  })

  test('svc who counts so many users that SQLite does it on a thread of its own', async () => {
    const many =
      name === 'sqlite'
        ? 'with recursive s(n) as (select 1 union all select n + 1 from s where n < 20000)'
        : 'with s as (select generate_series(1, 20000) n)'
    const columns = 'name, email, password, created_at, updated_at'
    const users = `insert into users (${columns}) ${many} select 'Many', n || '@many.org', '-', created_at, created_at from s, users where id = 1`
    await project.database.query({ sql: users, access: 'write' }, [])
    expect((await who('orders', '4')).out).toContain('3 of 20,004 users may see orders/4.')
  })

  test('says why there is no answer', async () => {
    const cannot: readonly (readonly [line: readonly string[], says: string])[] = [
      [['orders', '1', '2', 'show', 'more'], "There is one argument too many: 'more'"],
      [['orders'], 'Name the record.'],
      [['orders', '1', '2', 'update', '--body', 'status=1'], '--body is an object as JSON'],
      [['orders', '1', '\u001B[31m'], "There is no user '\\u{1b}[31m'"],
    ]
    for (const [line, says] of cannot) {
      const { code, out } = await why(...line)
      expect([line, code, out]).toEqual([line, 2, expect.stringContaining(says)])
    }
    const wrong: readonly (readonly [about: string, operation: string, says: string])[] = [
      ['order', 'show', "There is no repository 'order'; there are users, categories, products"],
      ['orders', 'destroy', 'there are show, store, update, delete.'],
      ['GET /api/login', 'show', 'is of no list and no record of a repository'],
    ]
    const own = await askedProject(project)
    for (const [about, operation, says] of wrong) {
      const question = { about, id: '1', user: 'guest', operation, body: null, field: null }
      const message = expect.stringContaining(says)
      expect(await answerWhy(own, question)).toEqual({ kind: 'unanswerable', message })
    }
  })
})

/** Cleo's are the orders 1 and 2; only 2 is open. */
describe.each(databases)('svc why about gates of fields on %s', (name) => {
  let folder = ''
  beforeAll(async () => void ({ folder } = await openExample('shop', name)))

  const why = async (...line: readonly string[]) => {
    const { code, out, errors } = await svc(folder, 'why', ...line)
    return { code, out: out + errors }
  }
  const update = (id: number, body: object, ...more: readonly string[]) =>
    why('orders', `${id}`, 'cleo@example.com', 'update', '--body', JSON.stringify(body), ...more)

  test('names what they ignore of a body', async () => {
    const ignored = await update(2, { note: 'Ring', handler_id: 2 })
    expect(ignored.code).toBe(1)
    expect(ignored.out).toContain(
      "No: Cleo Marsh (user 3) may update orders/2, but 'handler_id' of the body is ignored.\n",
    )
    expect(ignored.out).toContain('canUpdate.handler_id: no')
    expect((await update(2, { note: 'Ring' })).out).toMatch(/^Yes: .* may update orders\/2\.\n/)
    const store = await why(
      ...['orders', 'new', 'cleo@example.com', 'store', '--body', '{"handler_id":2}'],
    )
    expect(store.out).toContain("but 'handler_id' of the body is ignored.")
  })

  test('names what gates that ask about the record ignore of a body, and hide from a filter', async () => {
    const path = 'app/Policies/OrderPolicy.ts'
    const policy = readFileSync(join(folder, path), 'utf8')
    fill(folder, {
      [path]: policy.replace(
        '  canUpdate: { handler_id: isStaff },',
        `  canSee: { status: () => ({ id: 1 }) },
  canUpdate: { handler_id: isStaff, note: (user) => ({ customer_id: user?.id, id: { gt: 1 } }), status: () => ({ id: 1 }) },`,
      ),
    })
    const both = await update(2, { note: 'Ring', status: 'gone', handler_id: 2 })
    expect(both.code).toBe(1)
    expect(both.out).toContain("but 'handler_id' and 'status' of the body are ignored.\n")
    expect(both.out).toContain('canUpdate.note, of the record: yes')
    // What its own gate lets through of this record is part of what it would become.
    const written = await update(2, { note: 'Ring' })
    expect([written.code, written.out]).toEqual([0, expect.stringMatching(/^Yes: /)])

    expect(await why('GET /api/svc/orders?status=open', 'dan@example.com')).toEqual({
      code: 1,
      out: `No: the list is empty, because the value that a filter compares is hidden in all of them.

  4  all orders
  2  show of app/Policies/OrderPolicy.ts: customer_id is 4
  0  canSee.status of app/Policies/OrderPolicy.ts: id is 1  ← empties the list
  0  status=open
`,
    })
    const some = await why('GET /api/svc/orders?status=open', 'cleo@example.com')
    expect(some.out).toContain('because a filter admits none of them: status=open.')
    expect(some.out).toContain('  1  canSee.status of app/Policies/OrderPolicy.ts: id is 1\n')
  })
})

describe.each(toldOn('postgresql'))('svc policies diff on %s', (name) => {
  let folder = ''
  beforeAll(async () => {
    ;({ folder } = await openExample('shop', name))
    for (const line of ['init -q', 'add app', 'commit -qm before']) {
      const words = ['-c', 'user.email=a@b.cd', '-c', 'user.name=A', ...line.split(' ')]
      execFileSync('git', words, { cwd: folder })
    }
  })
  const diff = async (...line: readonly string[]) => {
    const { code, out, errors } = await svc(folder, 'policies', 'diff', ...line)
    return { code, out: out + errors }
  }

  test('compares what a commit allows with what is here, and fails where somebody gains', async () => {
    expect(await diff('--check')).toEqual({
      code: 0,
      out: `Nobody gains or loses anything.

Compared for a guest, Cleo Marsh (3), Ben Okafor (2), Ada Lovelace (1).
`,
    })
    const policy = 'app/Policies/OrderPolicy.ts'
    const text = readFileSync(join(folder, policy), 'utf8')
    const weaker = text.replace('{ customer_id: user?.id }', "user !== null && { status: 'open' }")
    fill(folder, { [policy]: weaker.replace('delete: isAdmin', 'delete: isStaff') })
    const opened = await diff('HEAD', '--check', '--allow', 'orders.show')
    expect(opened).toEqual({
      code: 1,
      out: `               who             gains          loses
orders show    Cleo Marsh (3)                 1: 1
orders delete  Ben Okafor (2)  4: 1, 2, 3, 4

Compared for a guest, Cleo Marsh (3), Ben Okafor (2), Ada Lovelace (1).

Nothing of --allow names orders.delete.
`,
    })
    expect((await diff('HEAD', '--users', 'dan@example.com', '--markdown')).out).toContain(
      '| orders show | Dan Iversen (4) | 1: 2 | 2: 3, 4 |',
    )
    expect((await diff('--check', '--allow', 'orders.delete')).code).toBe(0)
    expect(await diff('nothing')).toEqual({ code: 2, out: "Git knows no commit 'nothing' here.\n" })
    expect((await diff('--users', 'eve@example.com')).code).toBe(2)
  })

  test('compares for a user like each role of the tests, and names those that nobody is like', async () => {
    const rolesFile = 'tests/roles.ts'
    const roles = readFileSync(join(folder, rolesFile), 'utf8')
    const more = `  dan: () => makeUser({ name: 'Dan Iversen' }),
  boss: () => makeUser({ role: 'admin', name: 'Nobody' }),
  buyer: async () => { const user = await makeUser(); await makeOrder({ customer_id: user.id }); return user },
  maker: async () => { await db.deleteFrom('users').execute(); return makeUser() },
`
    fill(folder, {
      [rolesFile]: roles
        .replace('import { makeLine', "import { db } from '#app/database.js'\nimport { makeLine")
        .replace('  guest: () => null,', `  guest: () => null,\n${more}`),
    })
    const asRoles = JSON.parse((await diff('--json')).out) as {
      readonly users: readonly ({ id: string } | null)[]
      readonly problems: readonly string[]
    }
    expect(asRoles.users.map((user) => user?.id)).toEqual([undefined, '4', '3', '2', '1'])
    expect(asRoles.problems).toEqual([
      "Nobody here is like 'boss' of tests/roles.ts: name is 'Nobody', role is 'admin'.",
      "'maker' of tests/roles.ts is more than the columns of a user: name somebody with --users.",
    ])
    expect((await svc(folder, 'who', 'users', '1')).out).toContain(' of 4 users may see')
  })

  test('compares for the users that a query of columns names', async () => {
    const ofRole = await diff(
      '--users',
      'role=customer&name=Cleo Marsh,4,dan@example.com',
      '--json',
    )
    const { users } = JSON.parse(ofRole.out) as {
      readonly users: readonly ({ id: string } | null)[]
    }
    expect(users.map((user) => user?.id)).toEqual([undefined, '3', '4'])
    for (const [query, says] of [
      ['id=king', "'king' is no value of id"],
      ['role=staff&name=Nobody', 'There is no user with role=staff&name=Nobody.'],
      ['password=x', "users have no column 'password'; there are id, name,"],
      ["x'; drop table users; --=1", 'users have no column'],
    ] as const) {
      expect(await diff('--users', query)).toEqual({ code: 2, out: expect.stringContaining(says) })
    }
  })
})

test('a project without packages, tables or code says so', async () => {
  const { code, out } = await svc(await newProject(), 'why', 'users', '1')
  expect([code, out]).toEqual([2, 'Run `npm install` first.\n'])
  // Of the examples above.
  vi.stubEnv('DATABASE_URL', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const bare = await newProject()
  linkDependencies(bare)
  const asked = await svc(bare, 'why', 'posts', '1')
  expect(asked.code).toBe(2)
  expect(asked.out).toMatch(/^The database cannot answer: .*posts.*\n {2}fix {4}svc migrate/)
  const root = emptyFolder()
  expect((await svc(root, 'why', 'users', '1')).code).toBe(2)
})

test('asks in the form in which the runtime is the files of the project', async () => {
  const project = await openExample('shop', 'sqlite')
  const { code, out, errors } = await svc(project.folder, 'publish', 'runtime')
  expect([code, out + errors]).toEqual([0, expect.stringContaining('')])
  rmSync(join(project.folder, 'runtime/features/explain'), { recursive: true, force: true })
  expect(readFileSync(join(project.folder, 'runtime/policy/condition.ts'), 'utf8')).not.toBe('')
  const asked = await svc(project.folder, 'why', 'orders', '1', 'cleo@example.com')
  expect([asked.code, asked.out]).toEqual([
    0,
    expect.stringContaining('Yes: Cleo Marsh (user 3) sees'),
  ])
})
