/** `svc openapi --check` by cases: what one document says and the next does not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openapiDocument } from '../../../generator/features/openapi/document.js'
import { emptyFolder, plainProject, svc } from '../../core/cli/project.js'
import { blueprintOf, fixtures } from '../../core/plan/fixture.js'
import { fill } from '../../core/write/folder.js'
import { describeProject } from '../../support/with-features.js'

type Data = Record<string, unknown>

const path = 'app/OpenApi/openapi.json'

/** A document of one operation that takes a body and answers one. */
const documentOf = (operation: Data, schemas: Data = {}, more: Data = {}) => ({
  openapi: '3.1.1',
  info: { title: 'api', version: '1' },
  paths: { '/posts/{id}': { put: operation } },
  components: { schemas },
  ...more,
})

const content = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const taking = (schema: unknown) =>
  documentOf(
    { requestBody: content({ $ref: '#/components/schemas/Post' }), responses: {} },
    { Post: schema as Data },
  )
const answering = (schema: unknown) =>
  documentOf(
    { responses: { 200: content({ $ref: '#/components/schemas/Post' }) } },
    { Post: schema as Data },
  )
const asking = (...parameters: readonly Data[]) => documentOf({ parameters, responses: {} })

const object = (properties: Data, ...required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})
const titled = (title: Data) => object({ title })
const text = { type: 'string' }
const maybe = { type: ['string', 'null'] }
const query = (schema: Data, more: Data = {}) => ({ name: 'q', in: 'query', schema, ...more })

/** What is said of the change from the one to the other, and of the change back. */
async function between(old: unknown, now: unknown): Promise<readonly string[]> {
  const folder = emptyFolder()
  fill(folder, { [path]: JSON.stringify(now), 'old.json': JSON.stringify(old) })
  const { code, out, errors } = await svc(folder, 'openapi', '--check', 'old.json')
  expect(errors).toBe('')
  const found = [...out.matchAll(/^ {2}(#\S+) {2}(.*)$/gm)].map(([, at, said]) => `${at} ${said}`)
  expect(code).toBe(found.length === 0 ? 0 : 2)
  return found
}

const post = '#/components/schemas/Post'
const title = `${post}/properties/title`
const put = '#/paths/~1posts~1{id}/put'

const cases: readonly (readonly [
  what: string,
  old: unknown,
  now: unknown,
  there: readonly string[],
  back: readonly string[],
])[] = [
  [
    'an operation',
    documentOf({ responses: {} }),
    documentOf({ responses: {} }, {}, { paths: {} }),
    [`${put} is gone`],
    [],
  ],
  [
    'a parameter of the path that is called otherwise',
    documentOf({ responses: {} }),
    documentOf({}, {}, { paths: { '/posts/{post}': { put: { responses: {} } } } }),
    [],
    [],
  ],
  ['a parameter', asking(query(text)), asking(), [`${put}/parameters/0 parameter 'q' is gone`], []],
  [
    'a parameter that is required',
    asking(),
    asking(query(text, { required: true })),
    [`${put}/parameters/0 parameter 'q' is required now`],
    [`${put}/parameters/0 parameter 'q' is gone`],
  ],
  [
    'a parameter that was optional',
    asking(query(text)),
    asking(query(text, { required: true })),
    [`${put}/parameters/0 parameter 'q' is required now`],
    [],
  ],
  [
    'how a list is written',
    asking(query({ type: 'array' })),
    asking(query({ type: 'array' }, { explode: false })),
    [`${put}/parameters/0 parameter 'q' is written otherwise`],
    [`${put}/parameters/0 parameter 'q' is written otherwise`],
  ],
  [
    'options of a parameter',
    asking(query({ enum: ['a', 'b', 'c'] })),
    asking(query({ enum: ['a'] })),
    [`${put}/parameters/0/schema no longer takes "b", "c"`],
    [],
  ],
  [
    'an answer',
    documentOf({ responses: { 200: { description: '' }, 404: { description: '' } } }),
    documentOf({ responses: { 200: { description: '' } } }),
    [`${put}/responses/404 is gone`],
    [],
  ],
  [
    'answers under one key',
    documentOf({ responses: { 404: { description: '' }, 500: { description: '' } } }),
    documentOf({ responses: { '4XX': { description: '' }, default: { description: '' } } }),
    [],
    [`${put}/responses/4XX is gone`, `${put}/responses/default is gone`],
  ],
  [
    'a header of an answer',
    documentOf({ responses: { 200: { headers: { ETag: { schema: text } } } } }),
    documentOf({ responses: { 200: {} } }),
    [`${put}/responses/200/headers/ETag header 'ETag' is gone`],
    [],
  ],
  [
    'a token',
    documentOf({ responses: {} }, {}, { security: [{}, { bearer: [] }] }),
    documentOf({ responses: {} }, {}, { security: [{ bearer: [] }] }),
    [`${put} wants a token now`],
    [],
  ],
  ['a property of a body', taking(titled(text)), taking(object({})), [`${title} is gone`], []],
  [
    'a property of an answer',
    answering(titled(text)),
    answering(object({})),
    [`${title} is gone`],
    [],
  ],
  [
    'a body',
    documentOf({ requestBody: content(text), responses: {} }),
    documentOf({ responses: {} }),
    [`${put}/requestBody is gone`],
    [],
  ],
  [
    'a body that is required',
    documentOf({ responses: {} }),
    documentOf({ requestBody: { required: true, ...content(text) }, responses: {} }),
    [`${put}/requestBody a body is required now`],
    [`${put}/requestBody is gone`],
  ],
  [
    'a media type',
    documentOf({ responses: { 200: { content: { 'text/csv': {}, 'application/json': {} } } } }),
    documentOf({ responses: { 200: { content: { 'application/json': {} } } } }),
    [`${put}/responses/200/content/text~1csv is gone`],
    [],
  ],
  [
    'what a body cannot do without',
    taking(titled(text)),
    taking(object({ title: text }, 'title')),
    [`${post} 'title' is required now`],
    [],
  ],
  [
    'what an answer always has',
    answering(object({ title: text }, 'title')),
    answering(titled(text)),
    [`${post} 'title' may be missing now`],
    [],
  ],
  [
    'null in a body',
    taking(titled(maybe)),
    taking(titled(text)),
    [`${title} no longer takes null`],
    [],
  ],
  [
    'null in an answer',
    answering(titled(text)),
    answering(titled(maybe)),
    [`${title} answers null, too`],
    [],
  ],
  [
    'another type of body',
    taking(titled(text)),
    taking(titled({ type: 'integer' })),
    [`${title} no longer takes string`],
    [`${title} no longer takes integer`],
  ],
  [
    'a wider number in an answer',
    answering({ type: 'integer' }),
    answering({ type: 'number' }),
    [`${post} answers number, too`],
    [],
  ],
  [
    'a longer text in a body',
    taking({ type: 'string', maxLength: 9 }),
    taking({ type: 'string', maxLength: 5 }),
    [`${post} takes less: maxLength was 9, is 5`],
    [],
  ],
  [
    'a bound that there was not',
    taking(text),
    taking({ type: 'string', minLength: 1 }),
    [`${post} takes less: minLength was none, is 1`],
    [],
  ],
  [
    'a bound that there is no more, in an answer',
    answering({ type: 'integer', minimum: 0 }),
    answering({ type: 'integer' }),
    [`${post} answers more: minimum was 0, is none`],
    [],
  ],
  [
    'a bound of texts where there are none',
    taking({ type: 'integer' }),
    taking({ type: 'integer', maxLength: 3 }),
    [],
    [],
  ],
  [
    'steps',
    taking({ type: 'number', multipleOf: 0.01 }),
    taking({ type: 'number', multipleOf: 0.1 }),
    [`${post} may take less: multipleOf was 0.01, is 0.1`],
    [],
  ],
  [
    'a pattern',
    taking({ type: 'string', pattern: '^a' }),
    taking({ type: 'string', pattern: '^b' }),
    [`${post} may take less: pattern was "^a", is "^b"`],
    [`${post} may take less: pattern was "^b", is "^a"`],
  ],
  [
    'an option in an answer',
    answering({ enum: ['a'] }),
    answering({ enum: ['a', 'b'] }),
    [`${post} answers "b", too`],
    [],
  ],
  [
    'options instead of any text',
    taking(text),
    taking({ type: 'string', enum: ['a'] }),
    [`${post} takes less: it was anything, is ["a"]`],
    [],
  ],
  [
    'elements of a list',
    answering({ type: 'array', items: text }),
    answering({ type: 'array', items: maybe }),
    [`${post}/items answers null, too`],
    [],
  ],
  [
    'other properties',
    taking({ type: 'object' }),
    taking({ type: 'object', additionalProperties: false }),
    [`${post} no longer takes other properties`],
    [],
  ],
  [
    'a property more in an answer that had no others',
    answering({ ...object({}), additionalProperties: false }),
    answering({ ...titled(text), additionalProperties: false }),
    [],
    [`${title} is gone`],
  ],
  [
    'the same in other words',
    taking(object({ title: maybe }, 'title')),
    taking({ allOf: [titled({ anyOf: [text, { type: 'null' }] }), { required: ['title'] }] }),
    [],
    [],
  ],
  [
    'one of several',
    answering({ oneOf: [text, { type: 'null' }] }),
    answering({ oneOf: [text, { type: 'integer' }] }),
    [`${post}/oneOf/1 answers integer, too`],
    [`${post}/oneOf/1 answers null, too`],
  ],
]

const broken = `19 breaking changes since old.json:

POST /api/login
  #/components/schemas/Post/properties/body  is gone

GET /api/svc/posts
  #/components/schemas/Post  'body' may be missing now

POST /api/svc/posts
  #/components/schemas/PostStore/properties/body  is gone
  #/components/schemas/PostStore  'rating' is required now
  #/components/schemas/PostStore/properties/title  takes less: maxLength was 160, is 80
  #/components/schemas/PostValidationError/allOf/1/properties/errors/properties/body  is gone

PUT /api/svc/posts/{id}
  #/components/schemas/PostReplace/properties/body  is gone
  #/components/schemas/PostReplace  'rating' is required now
  #/components/schemas/PostReplace/properties/title  takes less: maxLength was 160, is 80

PATCH /api/svc/posts/{id}
  #/components/schemas/PostPatch/properties/body  is gone
  #/components/schemas/PostPatch/properties/title  takes less: maxLength was 160, is 80

POST /api/svc/users/{id}/posts
  #/components/schemas/User.posts.Store/properties/body  is gone
  #/components/schemas/User.posts.Store  'rating' is required now
  #/components/schemas/User.posts.Store/properties/title  takes less: maxLength was 160, is 80

PUT /api/svc/users/{id}/posts/{relatedId}
  #/components/schemas/User.posts.Replace/properties/body  is gone
  #/components/schemas/User.posts.Replace  'rating' is required now
  #/components/schemas/User.posts.Replace/properties/title  takes less: maxLength was 160, is 80

PATCH /api/svc/users/{id}/posts/{relatedId}
  #/components/schemas/User.posts.Patch/properties/body  is gone
  #/components/schemas/User.posts.Patch/properties/title  takes less: maxLength was 160, is 80
`

describe('svc openapi --check', () => {
  test.each(cases)('%s', async (_, old, now, there, back) => {
    expect(await between(old, now)).toEqual(there)
    expect(await between(now, old)).toEqual(back)
  })

  test('follows a schema that holds itself, and names each place once', async () => {
    const tree = (leaf: Data) => {
      const Node = object({ leaf, next: { $ref: '#/components/schemas/Node' } })
      const answer = { responses: { 200: content({ $ref: '#/components/schemas/Node' }) } }
      return documentOf(
        answer,
        { Node },
        { paths: { '/a': { get: answer }, '/b': { get: answer } } },
      )
    }
    expect(await between(tree(text), tree(maybe))).toEqual([
      '#/components/schemas/Node/properties/leaf answers null, too',
    ])
  })

  test('reaches what lies behind ten thousand schemas', async () => {
    const chain = (leaf: Data) => {
      const pairs = Array.from({ length: 10_000 }, (_, at) => {
        return [
          `S${at}`,
          object({ next: at === 9_999 ? leaf : { $ref: `#/components/schemas/S${at + 1}` } }),
        ]
      })
      const answer = { responses: { 200: content({ $ref: '#/components/schemas/S0' }) } }
      return documentOf(answer, Object.fromEntries(pairs))
    }
    expect(await between(chain(text), chain(maybe))).toEqual([
      '#/components/schemas/S9999/properties/next answers null, too',
    ])
  })

  test.each(fixtures)('finds nothing between the document of %s and itself', async (fixture) => {
    const text = await openapiDocument(
      describeProject(await blueprintOf(fixture, 'sqlite'), { name: fixture, svckit: '10.0.0' }),
    )
    expect(await between(JSON.parse(text), JSON.parse(text))).toEqual([])
  })

  test('names what a change of the manifest breaks, and where', async () => {
    const root = await plainProject()
    fill(root, { 'old.json': readFileSync(join(root, path), 'utf8') })
    expect(await svc(root, 'openapi', '--check', 'old.json')).toEqual({
      code: 0,
      out: 'Nothing that old.json says is broken.\n',
      errors: '',
    })
    const posts = readFileSync(join(root, 'manifest/posts.ts'), 'utf8').replace(", 'body']", ']')
    const changed = posts
      .replace('title: text().max(160)', 'title: text().max(80)')
      .replace(/ +body: .*\n/, '    rating: integer(),\n')
      .replace('import { ', 'import { integer, ')
    fill(root, { 'manifest/posts.ts': changed })
    expect((await svc(root, 'generate')).code).toBe(0)
    const { code, out } = await svc(root, 'openapi', '--check', 'old.json')
    expect(code).toBe(2)
    expect(out).toBe(broken)
    const { out: json } = await svc(root, 'openapi', '--check', 'old.json', '--json')
    expect(JSON.parse(json).changes[2]).toEqual({
      at: '#/components/schemas/PostStore/properties/body',
      operation: 'POST /api/svc/posts',
      text: 'is gone',
    })
  })

  const wrong: readonly (readonly [what: string, text: string | null, said: string])[] = [
    ['no file', null, 'old.json is not there.'],
    ['no JSON', '{', 'old.json cannot be read: '],
    ['no object', '[]', 'old.json cannot be read: it is no JSON object'],
    ['no document', '{}', 'old.json is no OpenAPI document of version 3.0 or 3.1 with paths.'],
    [
      'another version',
      '{"swagger":"2.0","paths":{}}',
      'old.json is no OpenAPI document of version 3.0 or 3.1 with paths.',
    ],
  ]
  test.each(wrong)('refuses %s', async (_, text, said) => {
    const folder = emptyFolder()
    fill(folder, {
      [path]: JSON.stringify(asking()),
      ...(text === null ? {} : { 'old.json': text }),
    })
    const { code, out, errors } = await svc(folder, 'openapi', '--check', 'old.json')
    expect([code, out]).toEqual([1, ''])
    expect(errors.startsWith(said), errors).toBe(true)
  })

  test('says how a project gets a document, and what to compare with', async () => {
    const folder = emptyFolder()
    fill(folder, { 'old.json': JSON.stringify(asking()) })
    const { code, errors } = await svc(folder, 'openapi', '--check', 'old.json')
    expect([code, errors]).toEqual([
      1,
      `${path} is not there.\n  fix    take \`openapi: false\` out of manifest/index.ts, and run svc generate\n`,
    ])
    expect((await svc(folder, 'openapi')).code).toBe(1)
  })
})
