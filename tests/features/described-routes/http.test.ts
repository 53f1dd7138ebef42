/** `describeRoute` of a project: what `svc generate` makes of it, and what its server does. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { templateOf } from '../../../runtime/features/described-routes/path-template.js'
import { svc } from '../../core/cli/project.js'
import { run } from '../../core/compile/run.js'
import { toldOn } from '../../support/databases.js'
import { load, openFolder, type Project } from '../../support/project.js'
import { served } from '../client/served.js'
import { described, documentOf, makeProject, read } from './project.js'

/** Somebody with a token. */
async function signIn(project: Project) {
  const password = 'a long enough one'
  const form = { name: 'Ann', email: 'ann@example.com', password, password_confirmation: password }
  const { body } = await project.post('/api/register', form)
  return { id: Number(body.id), token: String(body.meta.token) }
}

describe.each(toldOn('sqlite'))('describeRoute on %s', (database) => {
  let root = ''
  let project: Project
  let person: Awaited<ReturnType<typeof signIn>>
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'svc-described-'))
    await makeProject(root, database)
    const { code, out } = await svc(root, 'generate', '--no-compile')
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(described) })
    project = await openFolder(root, database)
    person = await signIn(project)
  })
  afterAll(() => project.close())

  test('brings routes into the document, and the next run has nothing to do', async () => {
    const { paths, components, tags } = documentOf(root)
    const { post } = paths['/api/guests/{id}']
    const part = paths['/api/codes/{code}/parts/{part-id}'].get
    expect(part.operationId).toBe('getCodesCodePartsPartId')
    expect(part.parameters.map(({ name }: { name: string }) => name)).toEqual(['code', 'part-id'])
    expect(Object.keys(part.responses)).toEqual(['200', '400', '404'])
    expect(Object.keys(post.responses)).toEqual([
      '201',
      '400',
      '401',
      '404',
      '409',
      '413',
      '415',
      '422',
    ])
    expect(post).toMatchObject({
      operationId: 'invite',
      security: [{ bearer: [] }],
      tags: ['own'],
    })
    expect(
      post.parameters.map(({ name, required }: Record<string, unknown>) => [name, required]),
    ).toEqual([
      ['id', true],
      ['tags', undefined],
      ['page', undefined],
    ])
    expect(post.requestBody.content['application/json'].schema).toMatchObject({
      required: ['email'],
      properties: { email: { format: 'email' }, role: { default: 'reader' } },
    })
    expect(paths['/api/trees'].put.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/delete.body',
    })
    // A component `delete.200` would be a second type of that name to tools that call answers so.
    expect(paths['/api/trees'].put.responses['200'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/delete.answer.200',
    })
    expect(components.schemas['delete.body'].properties.children.items).toEqual({
      $ref: '#/components/schemas/delete.body',
    })
    expect(tags.map(({ name }: { name: string }) => name)).toContain('own')
    expect((await svc(root, 'generate', '--check', '--no-compile')).code).toBe(0)
  })

  test('brings them into the client, which calls them', async () => {
    await svc(root, 'client', 'web')
    const loadClient = (name: string) => load(root, `web/${name}.ts`)
    const { createApi, SvcError } = await loadClient('client')
    const own = await loadClient('own-routes')
    const server = await served((request) => project.fetch(request))
    onTestFinished(() => server.close())
    const { id, token } = person
    const api = createApi({ baseUrl: server.baseUrl, token })
    const guest = { email: 'a@example.com' }
    expect(await own.invite(api, '7', guest, { tags: ['a', 'b'], page: 2 })).toEqual({
      ...guest,
      id: 7,
      role: 'reader',
      tags: ['a', 'b'],
      page: 2,
      by: id,
    })
    const tree = { name: 'a', children: [{ name: 'b', children: [] }] }
    expect(await own.delete_(api, tree)).toEqual(tree)
    expect(await own.getTreesDelete(api, 'leaf', { match: 'a&b=c' })).toMatchObject({
      match: 'a&b=c',
    })
    expect(await own.getCodesCodePartsPartId(api, '123', 'ab')).toEqual({
      code: '123',
      part: 'ab',
    })
    await expect(own.getCodesCodePartsPartId(api, '12', 'ab')).rejects.toBeInstanceOf(SvcError)
    const text = read(root, 'web/own-routes.ts')
    expect(text).toMatch(/getCodesCodePartsPartId\(\s+api: Api,\s+code: string,\s+partId: string/)
    await expect(own.invite(api, '7', { email: 'x' })).rejects.toBeInstanceOf(SvcError)
  })

  test('brings them into the contract that the project tests, and it holds', async () => {
    const contract = await run(
      'vitest',
      ['run', 'tests/contract.test.ts', '-t', '/api/(guests|trees|codes)'],
      root,
      { TEST_DATABASE_URL: `${inject('postgres')}postgres` },
    )
    expect(contract.code, contract.output).toBe(0)
    expect(contract.output).toMatch(/4 passed/)
  })

  test('refuses what it does not describe, as svc’s own routes do', async () => {
    const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' }
    const send = (
      body: string,
      address = '/api/guests/7',
      more: Record<string, string> = headers,
    ) => project.request('POST', address, { headers: more, body })
    const post = async (body: unknown, address?: string) => {
      const answer = await send(JSON.stringify(body), address)
      return [answer.status, answer.body]
    }
    const right = { email: 'a@example.com' }
    expect(await post({ email: 'x', role: 'king', lines: [{ street: '' }] })).toEqual([
      422,
      {
        message: 'The email must be an e-mail address. (and 2 more errors)',
        errors: {
          email: ['The email must be an e-mail address.'],
          role: ['The role must be one of: reader, writer.'],
          'lines.0.street': ['The lines.0.street must not be empty.'],
        },
      },
    ])
    expect(await post({ ...right, nothing: 1 })).toMatchObject([
      422,
      { errors: { nothing: ['The nothing field is not known.'] } },
    ])
    expect(await post({})).toMatchObject([
      422,
      { errors: { email: ['The email field is required.'] } },
    ])
    expect(await post([])).toMatchObject([400, { message: 'The request body must be an object.' }])
    expect(await post(null)).toMatchObject([
      400,
      { message: 'The request body must be a JSON object.' },
    ])
    expect(await post(right, '/api/guests/x')).toMatchObject([404, { message: 'Not found.' }])
    expect(await post(right, '/api/guests/7?page=0&tags=a,bbbbbb')).toEqual([
      400,
      {
        message: 'The tags.1 must not be longer than 5 characters.',
        errors: {
          'tags.1': ['The tags.1 must not be longer than 5 characters.'],
          page: ['The page must be at least 1.'],
        },
      },
    ])
    expect((await send('{')).status).toBe(400)
    const { authorization } = headers
    expect(
      (await send('{}', undefined, { authorization, 'content-type': 'text/plain' })).status,
    ).toBe(415)
    expect((await project.post('/api/guests/7', right)).status).toBe(401)
  })
})

test.each([
  ['/', '/', []],
  ['/a/:id', '/a/{id}', ['id']],
  ['/a/:user-id/:file.json', '/a/{user-id}/{file.json}', ['user-id', 'file.json']],
  ['/:id{[0-9]{3}}', '/{id}', ['id']],
  ['/:id{[0-9]{1,3}(?:a{2}|:b)}/:c', '/{id}/{c}', ['id', 'c']],
  ['/:path{a/b/[^/]+}', '/{path}', ['path']],
  ['/:id{\\{x\\}}', '/{id}', ['id']],
  ['/posts:batch', '/posts:batch', []],
] as const)('the path %s is %s in a document', (given, shown, names) => {
  expect(templateOf(given)).toEqual({ shown, names })
})

test.each([
  ['/a/*', "has a '*' that is no parameter's"],
  ['/a/:id?', "has a '?' that is no parameter's"],
  ['/:id{[0-9]+', "has a '{' that is no parameter's"],
  ['/:id{[0-9]+}x', "has a '{' that is no parameter's"],
  ['/a{b}', "has a '{' that is no parameter's"],
  ['/:id/x:y', "has a ':' that is no parameter's"],
  ['/:a/:a', "has two parameters ':a'"],
])('of %s there is none: it %s', (given, problem) => {
  expect(templateOf(given)).toEqual({ problem })
})
