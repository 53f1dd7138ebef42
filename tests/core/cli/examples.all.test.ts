import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { load, type Answer, type Project } from '../../support/project.js'
import { runs } from '../../support/runs.js'
import { run } from '../compile/run.js'
import { makeExample, openExample, signIn } from './example.js'
import { checkout, newProject } from './project.js'

const status = async (answer: Promise<Answer>) => (await answer).status
const total = async (answer: Promise<Answer>) => (await answer).body.meta.total

async function tryShop(project: Project): Promise<void> {
  const guest = project.get
  const [ada, ben, cleo, dan] = await Promise.all(
    ['ada', 'ben', 'cleo', 'dan'].map((name) => signIn(project, name)),
  )
  if (!ada || !ben || !cleo || !dan) throw new Error('Somebody is missing.')

  const lamps = await guest('/api/svc/products?search=lamp&price=10,100&sort=-price')
  expect(lamps.body.data.map(({ attributes }: Attributes) => attributes['price'])).toEqual([
    '49.90',
  ])
  expect(lamps.body.data[0].attributes).not.toHaveProperty('cost')
  expect(await total(guest('/api/svc/products'))).toBe(8)
  const all = (await ben('GET', '/svc/products?sort=id')).body
  expect([all.meta.total, all.data[0].attributes.cost]).toEqual([9, '21.00'])

  const orders = '/svc/orders?related=lines.product,total&sort=id'
  expect(await totals(cleo('GET', orders))).toEqual(['73.75', '129.00'])
  expect(await totals(ben('GET', orders))).toEqual(['73.75', '129.00', '106.50', '640.00'])
  expect(await status(dan('GET', '/svc/orders/1'))).toBe(404)

  const order = (await cleo('POST', '/svc/orders', {})).body.data.id
  const wanted = { product_id: 4, quantity: 2, unit_price: '0.01' }
  const line = await cleo('POST', `/svc/orders/${order}/lines`, wanted)
  expect(line.status).toBe(201)
  await ada('PATCH', '/svc/products/4', { price: '99.00' })
  expect(await totals(cleo('GET', `${orders}&filter[status]=open`))).toEqual(['129.00', '15.90'])
  expect(await status(dan('POST', '/svc/lines', { ...wanted, order_id: order }))).toBe(422)

  const priced = await ben('PATCH', '/svc/products/1', { price: '1.00', stock: 7 })
  expect(priced.body.data.attributes).toMatchObject({ price: '49.90', stock: 7 })
  expect(await status(cleo('PATCH', '/svc/orders/2', { status: 'shipped' }))).toBe(403)
  expect(await status(cleo('PATCH', '/svc/orders/2', { status: 'cancelled' }))).toBe(200)
  expect(await status(dan('POST', '/svc/reviews', { product_id: 1, rating: 1 }))).toBe(403)
  expect(await status(dan('POST', '/svc/reviews', { product_id: 8, rating: 4 }))).toBe(201)

  // Nothing becomes part of something else, and a line keeps its price.
  const elsewhere = { product_id: 1, rating: 2 }
  expect(await status(dan('PATCH', '/svc/reviews/3', { ...elsewhere, order_id: 2 }))).toBe(422)
  const kept = async (answer: Promise<Answer>) => (await answer).body.data.attributes
  const review = { product_id: '7', rating: 2 }
  expect(await kept(dan('PATCH', '/svc/reviews/3', elsewhere))).toMatchObject(review)
  expect(await kept(dan('PUT', '/svc/reviews/3', elsewhere))).toMatchObject(review)
  const path = `/svc/lines/${line.body.data.id}`
  expect(
    await kept(cleo('PATCH', path, { product_id: 1, order_id: 2, quantity: 3 })),
  ).toMatchObject({
    ...{ order_id: order, product_id: '4', quantity: 3, unit_price: '7.95' },
  })
  expect(await kept(ben('PATCH', '/svc/orders/1', { customer_id: 4 }))).toHaveProperty(
    ...(['customer_id', '3'] as const),
  )
}

interface Attributes {
  readonly attributes: Readonly<Record<string, unknown>>
}

const totals = async (answer: Promise<Answer>) =>
  (await answer).body.data.map(({ relationships }: { relationships: { total: string } }) => {
    return relationships.total
  })

function settledLater() {
  let resolve = () => {}
  const promise = new Promise<void>((settled) => (resolve = settled))
  return { promise, resolve }
}

/** Deletes an invitation in a transaction that ends once somebody else has read that row. */
async function withdrawnMeanwhile({ database }: Project, id: string) {
  const read = settledLater()
  const stop = database.observe(({ sql }) => {
    if (!/^select\b.*\bfrom "invitations"/is.test(sql)) return
    return () => {
      stop()
      read.resolve()
    }
  })
  const deleted = settledLater()
  const sql = `DELETE FROM invitations WHERE id = ${id}`
  const commit = database.transaction(async (connection) => {
    await connection.query({ sql, access: 'write' }, [])
    deleted.resolve()
    await read.promise
  })
  await deleted.promise
  return { commit }
}

async function tryTeam(project: Project): Promise<void> {
  const [ada, ben, cleo] = await Promise.all(
    ['ada', 'ben', 'cleo'].map((name) => signIn(project, name)),
  )
  if (!ada || !ben || !cleo) throw new Error('Somebody is missing.')
  const projects = '/svc/projects'
  expect(await total(ada('GET', projects))).toBe(2)
  expect(await total(cleo('GET', `${projects}?search=r`))).toBe(1)
  expect(await total(ben('GET', projects))).toBe(3)
  expect(await status(cleo('GET', '/svc/projects/1'))).toBe(404)
  expect(await status(cleo('GET', '/svc/projects/1/tasks'))).toBe(404)

  // Whatever door a foreign organisation is tried through.
  const foreign = { name: 'Mine', organisation_id: 1 }
  expect(await status(cleo('POST', projects, foreign))).toBe(422)
  expect(await status(cleo('POST', '/svc/organisations/1/projects', { name: 'Mine' }))).toBe(404)
  expect(await status(cleo('POST', '/svc/tasks', { title: 'Mine', project_id: 1 }))).toBe(422)

  // An admin of an organisation of his own takes nothing to it, and nobody.
  const bens = (await ben('POST', '/svc/organisations', { name: 'Bens' })).body.data.id
  const taken = { name: 'Taken', organisation_id: bens }
  for (const method of ['PATCH', 'PUT']) {
    const { attributes } = (await ben(method, '/svc/projects/1', taken)).body.data
    expect(attributes).toMatchObject({ name: 'Taken', organisation_id: '1' })
  }
  const query = `mutation { updateProject(id: 1, input: { organisation_id: ${bens} }) { organisation_id } }`
  const { body } = await ben('POST', '/graphql', { query })
  expect(body).toEqual({ data: { updateProject: { organisation_id: '1' } } })
  expect(await status(ben('DELETE', '/svc/projects/1'))).toBe(403)
  const task = { project_id: 3, author_id: 2 }
  const { attributes } = (await ben('PATCH', '/svc/tasks/1', task)).body.data
  expect(attributes).toMatchObject({ project_id: '1', author_id: '1' })
  expect(await status(ben('DELETE', '/svc/tasks/1'))).toBe(403)
  const people = `/svc/organisations/${bens}/attach/users`
  expect(await status(ben('POST', people, { users: [1, 3] }))).toBe(403)

  expect(await status(ben('PATCH', '/svc/projects/1', { is_archived: true }))).toBe(403)
  expect(await status(ada('PATCH', '/svc/projects/1', { is_archived: true }))).toBe(200)
  expect(await status(ben('PATCH', '/svc/tasks/1', { is_done: true }))).toBe(403)

  expect(await status(cleo('POST', '/invitations/1/accept'))).toBe(403)
  expect(await status(ben('POST', '/invitations/1/accept'))).toBe(404)
  expect(await total(ada('GET', '/svc/organisations'))).toBe(1)
  // Twice at once: one of them is the acceptance, and afterwards there is none left.
  const twice = [1, 2].map(() => status(ada('POST', '/invitations/1/accept')))
  expect((await Promise.all(twice)).toSorted()).toEqual([204, 404])
  expect(await status(ada('POST', '/invitations/1/accept'))).toBe(404)
  expect(await total(ada('GET', '/svc/organisations'))).toBe(2)

  // Who registers with an invited address has to read its mail first.
  const dans = { organisation_id: 1, email: 'dan@example.com', role: 'admin' }
  const dansId = (await ada('POST', '/svc/invitations', dans)).body.data.id
  const form = { email: dans.email, password: 'password', password_confirmation: 'password' }
  expect(await status(project.post('/api/register', form))).toBe(200)
  const dan = await signIn(project, 'dan')
  expect(await total(dan('GET', '/svc/invitations'))).toBe(0)
  expect(await status(dan('POST', `/invitations/${dansId}/accept`))).toBe(404)
  expect(await status(dan('DELETE', `/svc/invitations/${dansId}`))).toBe(404)
  const { auth } = await load(project.folder, 'app/auth.ts')
  await auth.settled() // mails follow the answer
  const mails = readFileSync(join(project.folder, 'storage/logs/mail.log'), 'utf8')
  const [, id, emailHash] = /verify-email\?id=(\d+)&emailHash=([\w-]+)/.exec(mails) ?? []
  expect(await status(dan('POST', `/svc/verify/${id}/${emailHash}`))).toBe(200)
  expect(await total(dan('GET', '/svc/invitations'))).toBe(1)
  expect(await status(dan('POST', `/invitations/${dansId}/accept`))).toBe(204)
  expect(await total(dan('GET', '/svc/organisations'))).toBe(1)

  // Withdrawn after the request has read it, and before it writes.
  const cleos = { organisation_id: 1, email: 'cleo@example.com' }
  const cleosId = (await ada('POST', '/svc/invitations', cleos)).body.data.id
  const { commit } = await withdrawnMeanwhile(project, cleosId)
  expect(await status(cleo('POST', `/invitations/${cleosId}/accept`))).toBe(404)
  await commit
  expect(await total(cleo('GET', '/svc/organisations'))).toBe(1)

  // Whoever is invited in another case is the same; a member who is invited as admin becomes one, and stays it.
  for (const role of ['admin', 'member']) {
    const promoted = { organisation_id: 2, email: 'Ben@Example.com', role }
    const invitation = (await cleo('POST', '/svc/invitations', promoted)).body.data
    expect(invitation.attributes.email).toBe('ben@example.com')
    expect(await status(ben('POST', `/invitations/${invitation.id}/accept`))).toBe(204)
    expect(await status(ben('PATCH', '/svc/organisations/2', { name: role }))).toBe(200)
  }

  const made = (await cleo('POST', '/svc/organisations', { name: 'Third' })).body.data.id
  const invited = { organisation_id: made, email: 'ben@example.com' }
  expect(await status(cleo('POST', '/svc/invitations', invited))).toBe(201)
  const again = { ...invited, email: 'BEN@example.com' }
  expect(await status(cleo('POST', '/svc/invitations', again))).toBe(422)
  expect(await status(ada('DELETE', '/svc/organisations/1'))).toBe(409)
  expect(await status(cleo('DELETE', `/svc/organisations/${made}`))).toBe(204)
}

const tries = { shop: tryShop, team: tryTeam } as const

test.each([
  ['shop', 'sqlite'],
  ['team', 'postgresql'],
  ...(runs(1) > 1
    ? ([
        ['shop', 'postgresql'],
        ['team', 'sqlite'],
      ] as const)
    : []),
] as const)('svc new --example %s on %s makes what its TRY.md says', async (example, database) => {
  await tries[example](await openExample(example, database))
})

test('the config of an example is that of a new project, but for what the example is about', async () => {
  const text = (root: string) => readFileSync(join(root, 'config/svc.ts'), 'utf8')
  const made = text(await newProject())
  const verified = /\n +\/\*\*[^\n]*\n +verify_email: (true|false),/
  expect(text(join(checkout, 'fixtures/team')).replace(verified, '')).toBe(
    made.replace(verified, ''),
  )
})

test.each(
  runs(1) > 1
    ? (['shop', 'team'] as const).flatMap((example) => {
        return (['sqlite', 'postgresql'] as const).map((database) => [example, database] as const)
      })
    : [],
)('the example %s on %s compiles, and passes its own tests', async (example, database) => {
  const root = await makeExample(example, database)
  const checked = await run('tsc', ['-p', 'prisma'], root)
  expect(checked.code, checked.output).toBe(0)
  // With CI set, a matrix that differs from the one that comes with it fails.
  const env = { TEST_DATABASE_URL: `${inject('postgres')}postgres`, CONTRACT_RUNS: '1', CI: '1' }
  const tested = await run('vitest', ['run'], root, env)
  expect(tested.code, tested.output).toBe(0)
})
