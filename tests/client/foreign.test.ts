/** What others make of the document: types by openapi-typescript, requests by openapi-fetch. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openapiDocument } from '../../generator/plan/openapi/document.js'
import { describeProject } from '../../generator/plan/project.js'
import { blueprintOf, type Fixture } from '../plan/fixture.js'
import { openProject, type Project } from '../support/project.js'
import { checkClient } from './check-client.js'
import { served, type Served } from './served.js'

const use = `
import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

export async function use(baseUrl: string, token: string) {
  const client = createClient<paths>({
    baseUrl, headers: { authorization: \`Bearer \${token}\` }, querySerializer: { array: { style: 'form', explode: false } },
  })
  const stored = await client.POST('/api/svc/posts', { body: { title: 'Typed' } })
  const id: string = stored.data?.data.id ?? ''
  const shown = await client.GET('/api/svc/posts/{id}', { params: { path: { id }, query: { include: ['owner', 'comments.user'] } } })
  const title: string | undefined = shown.data?.data.attributes.title
  const listed = await client.GET('/api/svc/posts', { params: { query: { sort: ['-title', 'id'], title: ['Typed', 'Other'], perPage: 5 } } })
  const titles: string[] | undefined = listed.data?.data.map(({ attributes }) => attributes.title)
  const total: number | undefined = listed.data?.meta.total
  const { error, response } = await client.POST('/api/svc/posts', { body: { title: 'x'.repeat(200) } })
  const errors = error !== undefined && 'errors' in error ? error.errors : undefined
  return { title, titles, total, owner: shown.data?.data.relationships?.owner?.attributes.name, status: response.status, errors }
}

export const wrong = (client: ReturnType<typeof createClient<paths>>) => [
  // @ts-expect-error there is no such sort
  client.GET('/api/svc/posts', { params: { query: { sort: ['description'] } } }),
  // @ts-expect-error there is no such field
  client.POST('/api/svc/posts', { body: { titel: 'a' } }),
  // @ts-expect-error there is no such path
  client.GET('/api/svc/post'),
]
`

let blog: Project
let server: Served
let schema: string

beforeAll(async () => {
  blog = await openProject('blog', 'sqlite')
  server = await served((request) => blog.fetch(request))
  const document = readFileSync(join(blog.folder, 'app/OpenApi/openapi.json'), 'utf8')
  schema = astToString(await openapiTypescript(document))
})
afterAll(async () => {
  await server.close()
  await blog.close()
})

/** As its command writes it. JSON that holds JSON is a circle for TypeScript, in whose declarations it is anything. */
const schemaOf = async (fixture: Fixture) => {
  const blueprint = await blueprintOf(fixture, 'sqlite')
  const document = openapiDocument(describeProject(blueprint, { name: fixture, svckit: '10.0.0' }))
  const content = astToString(await openapiTypescript(document))
  return { path: `foreign/${fixture}.d.ts`, content }
}

test('openapi-typescript and openapi-fetch compile under --strict', async () => {
  const files = [
    await schemaOf('every-kind'),
    { path: 'foreign/schema.ts', content: schema },
    { path: 'foreign/use.ts', content: use },
  ]
  expect(checkClient(files).problems).toBe('')
})

test('and ask the server, which answers as the types say', async () => {
  writeFileSync(join(blog.folder, 'use.ts'), use)
  const token = blog.token(await blog.user('Ann'))
  const foreign = await import(pathToFileURL(join(blog.folder, 'use.ts')).href)
  expect(await foreign.use(server.baseUrl, token)).toEqual({
    ...{ title: 'Typed', titles: ['Typed'], total: 1, owner: 'Ann', status: 422 },
    errors: { title: ['The title must not be longer than 160 characters.'] },
  })
})
