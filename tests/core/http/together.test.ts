/** Columns that are unique together: the database decides, and a 422 names all of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../features/graphql/ask.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, load, type Project } from '../../support/project.js'
const together = (...names: string[]) => {
  const text = `The combination of ${names.map((name) => name.replaceAll('_', ' ')).join(' and ')} has already been taken.`
  return Object.fromEntries(names.map((name) => [name, [text]]))
}

describe.each(databases)('columns that are unique together on %s', (name) => {
  let project: Project
  let ada: number
  let acme: number
  let other: number

  beforeAll(async () => {
    project = await openManifest({ manifest: 'tests/core/http/manifests/together.ts' }, name)
    ada = await project.user('Ada')
    acme = await project.insert('companies', { name: 'Acme', code: 'acme' })
    other = await project.insert('companies', { name: 'Other', code: 'other' })
  })
  afterAll(() => project.close())

  const store = (body: object) => project.post('/api/svc/products', body, ada)
  const made = async (body: object): Promise<string> => {
    const answer = await store(body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data.id
  }

  it('are 422 that names them all, whoever has them', async () => {
    await made({ sku: 'one', company_id: acme })
    await made({ sku: 'one', company_id: other })
    const again = await store({ sku: 'one', company_id: acme })
    expect([again.status, again.body.errors]).toEqual([422, together('company_id', 'sku')])
  })

  it('are compared as they are written, folded or not', async () => {
    await made({ sku: 'Écru', company_id: acme })
    await made({ sku: 'ecru', company_id: acme })
    await made({ sku: 'ECRU', company_id: acme })
  })

  it('are equal to nothing where one of them is empty', async () => {
    await made({ sku: 'a', company_id: acme, batch: 'b' })
    await made({ sku: 'b', company_id: acme, batch: 'b' })
    await made({ sku: 'c', company_id: acme, serial: 1 })
    await made({ sku: 'd', company_id: acme, serial: 1 })
    await made({ sku: 'e', company_id: acme, batch: 'b', serial: 1 })
    expect((await store({ sku: 'f', company_id: acme, batch: 'b', serial: 1 })).status).toBe(422)
  })

  it('are refused when an update of one of them makes them equal, and by PUT', async () => {
    await made({ sku: 'kept', company_id: acme })
    const id = await made({ sku: 'moving', company_id: acme })
    const patched = await project.patch(`/api/svc/products/${id}`, { sku: 'kept' }, ada)
    expect([patched.status, patched.body.errors]).toEqual([422, together('company_id', 'sku')])
    const put = { sku: 'kept', company_id: acme }
    expect((await project.put(`/api/svc/products/${id}`, put, ada)).status).toBe(422)
    const moved = await project.patch(`/api/svc/products/${id}`, { company_id: other }, ada)
    expect(moved.status).toBe(200)
    const same = await project.patch(`/api/svc/products/${id}`, { sku: 'moving' }, ada)
    expect(same.status).toBe(200)
  })

  it('are told with all that is taken at once, what an update leaves alone included', async () => {
    await made({ sku: 'first', company_id: acme, batch: 'x', serial: 7, code: 'c-1' })
    const all = {
      ...together('company_id', 'sku'),
      ...together('batch', 'serial'),
      code: ['The code has already been taken.'],
    }
    const again = { sku: 'first', company_id: acme, batch: 'x', serial: 7, code: 'c-1' }
    expect((await store(again)).body.errors).toEqual(all)
    const id = await made({ sku: 'second', company_id: acme, batch: 'x', serial: 8 })
    const patch = { sku: 'first', serial: 7, code: 'c-1' }
    const patched = await project.patch(`/api/svc/products/${id}`, patch, ada)
    expect([patched.status, patched.body.errors]).toEqual([422, all])
  })

  it('are 409 where nobody sees or writes any of them', async () => {
    const seal = () => project.post('/api/svc/seals', { note: 'n' }, ada)
    expect((await seal()).status).toBe(201)
    const { status, body } = await seal()
    expect([status, body]).toEqual([409, { message: 'A record with these values exists already.' }])
  })

  it('admit one of many that are stored at the same time', async () => {
    const racing = Array.from({ length: 8 }, () => store({ sku: 'race', company_id: acme }))
    const statuses = (await Promise.all(racing)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 422)])
  })

  it('hold below a parent, where the parent says one of them', async () => {
    const path = `/api/svc/companies/${acme}/products`
    expect((await project.post(path, { sku: 'nested' }, ada)).status).toBe(201)
    const again = await project.post(path, { sku: 'nested' }, ada)
    expect([again.status, again.body.errors]).toEqual([422, together('company_id', 'sku')])
  })

  it('do not stop the tests of a project, whose rows are others each time', async () => {
    const { makeProduct } = await load(project.folder, 'tests/factories.ts')
    const rows = [await makeProduct({ company_id: acme }), await makeProduct({ company_id: acme })]
    expect(rows.map(({ company_id }) => company_id)).toEqual([acme, acme])
  })

  it('hold in GraphQL, and in its lists of children', async () => {
    await made({ sku: 'graph', company_id: acme })
    const create = `mutation ($input: ProductInput!) { createProduct(input: $input) { id } }`
    const input = { sku: 'graph', company_id: String(acme), status: 'live' }
    const { body } = await ask(project, create, { as: ada, variables: { input } })
    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: together('company_id', 'sku'),
    })
    const twin = await made({ sku: 'graph', company_id: other })
    const update = `mutation ($id: ID!, $input: CompanyInput!) { updateCompany(id: $id, input: $input) { id } }`
    const given = { name: 'Acme', code: 'acme', product_ids: [twin] }
    const moved = await ask(project, update, {
      as: ada,
      variables: { id: String(acme), input: given },
    })
    expect(moved.body.errors[0].extensions.errors).toEqual({
      product_ids: together('company_id', 'sku')['sku'],
    })
    expect(
      (await project.get(`/api/svc/products/${twin}`, ada)).body.data.attributes,
    ).toMatchObject({ company_id: String(other) })
  })
})
