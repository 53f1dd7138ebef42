import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import type { Blueprint, Json } from '../../../generator/blueprint/types.js'
import { writtenDocument } from '../../../generator/features/openapi/document-thread.js'
import { openapiDocument } from '../../../generator/features/openapi/document.js'
import type { Data, OpenapiFacts } from '../../../generator/features/openapi/facts.js'
import { usualFacts } from '../../../generator/features/openapi/facts.js'
import { article } from '../../../generator/features/openapi/operations/resource-operations.js'
import {
  belongsTo,
  boolean,
  dateTime,
  decimal,
  defineManifest,
  integer,
  repository,
  text,
  textarea,
  type Manifest,
} from '../../../generator/index.js'
import { blueprintOf, fixtures, root, without } from '../../core/plan/fixture.js'
import { buildBlueprint, describeProject, renderProject } from '../../support/with-features.js'

/** With what features add, all of them. */
const documented = [
  ...fixtures,
  ...readdirSync(join(root, 'fixtures/features')).map((name) => `features/${name}` as const),
]

const redocly = fileURLToPath(new URL('../../../node_modules/.bin/redocly', import.meta.url))

async function textOf(blueprint: Blueprint, said: Partial<OpenapiFacts> = {}): Promise<string> {
  const facts = { openapi: { ...usualFacts(blueprint.auth !== null), ...said } }
  return openapiDocument(describeProject(blueprint, { name: 'api', svckit: '10.0.0', facts }))
}

const documentOf = async (...given: Parameters<typeof textOf>): Promise<Data> =>
  JSON.parse(await textOf(...given))

const texts = new Map<string, Promise<string>>()

/** The document of a fixture, which is written once. */
async function documentOfFixture(fixture: (typeof documented)[number]): Promise<Data> {
  const written = texts.get(fixture) ?? blueprintOf(fixture, 'sqlite').then((each) => textOf(each))
  texts.set(fixture, written)
  return JSON.parse(await written)
}

const operationsIn = (document: Data) =>
  Object.entries(document['paths'] as Record<string, Record<string, Data>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]) => ({ path, method, operation })),
  )

describe.each(documented)('the document of %s', (fixture) => {
  test('is OpenAPI 3.1, as its schema has it', async () => {
    const document = await documentOfFixture(fixture)
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  test('is the same text twice, and on either database', async () => {
    const texts = (['sqlite', 'postgresql'] as const).map(async (database) =>
      textOf(await blueprintOf(fixture, database)),
    )
    const [one, other] = await Promise.all(texts)
    expect(one).toBe(other)
    const ids = operationsIn(await documentOfFixture(fixture)).map(
      ({ operation }) => operation['operationId'],
    )
    expect(ids).toEqual([...new Set(ids)])
  })
})

/** Names of the schemas that a value refers to. */
const referredTo = (value: Json): readonly string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name = '']) => name,
  )

/** Swagger UI, for one, takes such a schema for broken. */
test.each(documented)('no schema of %s adds to one that leads back to it', async (fixture) => {
  const { components } = await documentOfFixture(fixture)
  const { schemas } = components as { readonly schemas: Readonly<Record<string, Data>> }
  const below = (name: string) => {
    const found = new Set<string>()
    const left = [name]
    for (let each = left.pop(); each !== undefined; each = left.pop()) {
      const named = referredTo(schemas[each] ?? null).filter((other) => !found.has(other))
      for (const other of named) found.add(other)
      left.push(...named)
    }
    return found
  }
  const added = (value: Json): readonly string[] => {
    if (typeof value !== 'object' || value === null) return []
    const inner = Object.entries(value).flatMap(([key, each]) =>
      key === 'allOf' ? referredTo(each) : added(each),
    )
    return inner
  }
  const circles = Object.entries(schemas).flatMap(([name, data]) =>
    added(data)
      .filter((other) => below(other).has(name))
      .map((other) => `${name} + ${other}`),
  )
  expect(circles).toEqual([])
})

/** Every object of a document, with its path; a map of properties is no schema, whatever they are called. */
function objectsIn(value: Json, path = '#'): readonly (readonly [string, Data])[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, each]) => objectsIn(each, `${path}/${key}`))
  return Array.isArray(value) || path.endsWith('/properties')
    ? inner
    : [[path, value as Data], ...inner]
}

/** What `npm run interop` finds with the generators themselves. */
describe.each(documented)('the document of %s is read by generators of clients', (fixture) => {
  const where = async (isWrong: (schema: Data) => boolean) => {
    const document = await documentOfFixture(fixture)
    return objectsIn(document).flatMap(([path, schema]) => (isWrong(schema) ? [path] : []))
  }

  test('a schema has one type, besides null: kubb goes in circles where a component has two', async () => {
    const isWrong = ({ type }: Data) =>
      Array.isArray(type) && type.filter((each) => each !== 'null').length > 1
    expect(await where(isWrong)).toEqual([])
  })

  test('a list has its items, as Spectral wants it', async () => {
    expect(await where(({ type, items }) => type === 'array' && items === undefined)).toEqual([])
  })

  test('what is required is told beside it: hey-api looks nowhere else', async () => {
    const isWrong = ({ required, properties = {} }: Data) =>
      Array.isArray(required) && required.some((name) => !Object.hasOwn(properties as Data, name))
    expect(await where(isWrong)).toEqual([])
  })

  test('no two components have one name: kubb lists schemas and answers together, orval drops marks', async () => {
    const { components } = await documentOfFixture(fixture)
    const twice = [['schemas', 'responses'], ['parameters']].flatMap((kinds) => {
      const names = kinds.flatMap((kind) =>
        Object.keys((components as Record<string, Data>)[kind] ?? {}),
      )
      const plain = names.map((name) => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase())
      return names.filter((_, at) => plain.indexOf(plain[at] ?? '') !== at)
    })
    expect(twice).toEqual([])
  })
})

test('operations are called by what they do', async () => {
  const ids = operationsIn(await documentOfFixture('blog'))
    .filter(({ path }) => /^\/api\/svc\/(posts|companies\/\{id\}\/\w+\/users)/.test(path))
    .map(({ operation }) => operation['operationId'])
  expect(ids).toEqual(
    expect.arrayContaining([
      ...['indexPosts', 'showPost', 'storePost', 'replacePost', 'patchPost', 'deletePost'],
      ...['indexCommentsOfPost', 'storeCommentOfPost', 'showTagOfPost'],
      ...['attachPostTags', 'attachCompanyUsers'],
    ]),
  )
})

test('a word has the article that is spoken before it', () => {
  const words = ['post', 'order', 'image', 'unit', 'user', 'utility', 'event', 'uninvited guest']
  expect(words.map(article).join()).toBe(
    'a post,an order,an image,a unit,a user,a utility,an event,an uninvited guest',
  )
})

test('a repository may be called like a schema of another', async () => {
  const blueprint = await blueprintOf('minimal', 'sqlite')
  const [note] = blueprint.entities
  const named = (key: string, name: string) => ({ ...note, key, name }) as Blueprint['entities'][0]
  const entities = [named('notes', 'Note'), named('note-pages', 'NotePage'), named('metas', 'Meta')]
  const document = await documentOf({ ...blueprint, entities })
  const { schemas } = document['components'] as { readonly schemas: Readonly<Record<string, Json>> }
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['Meta', 'MetaEntity', 'Note', 'NotePage', 'NotePageEntity']),
  )
})

test('what the developer says stands over what svc does', async () => {
  const own: Data = {
    info: { version: '2.1.0' },
    paths: { '/api/stats': { get: { operationId: 'stats', responses: { 200: {} } } } },
  }
  const document = await documentOf(await blueprintOf('blog', 'sqlite'), { additions: own })
  expect(document['info']).toMatchObject({ title: 'api', version: '2.1.0' })
  expect(Object.keys(document['paths'] as object)).toEqual(
    expect.arrayContaining(['/api/stats', '/api/svc/posts']),
  )
})

test('is what the linter of Redocly recommends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'))
  const files = await Promise.all(
    documented.map(async (fixture) => {
      const text = await textOf(await blueprintOf(fixture, 'sqlite'))
      // Its rule about required properties calls `hasOwnProperty` of what it looks at, and falls over a field of that name.
      const file = `${fixture.replace('/', '-')}.json`
      writeFileSync(join(folder, file), text.replaceAll('"hasOwnProperty"', '"hasOwn"'))
      return file
    }),
  )
  const all = ['--format=checkstyle', '--max-problems=10000']
  const given = ['lint', ...files, '--extends=recommended', ...all]
  const report = execFileSync(redocly, given, {
    cwd: folder,
    encoding: 'utf8',
    env: offline,
    stdio: 'pipe',
  })
  rmSync(folder, { recursive: true })
  expect(report.match(/<file /g)).toHaveLength(files.length)
  const found = [...report.matchAll(/severity="(\w+)" message="(.*?)" source="(.*?)"/g)]
  const said = found.map(([, severity, message, rule]) => `${severity} ${rule}: ${message}`)
  expect([...new Set(said)].toSorted()).toEqual([
    // The owner's to say.
    'warning info-license: Info object should contain `license` field.',
    // It looks for fields of these names in the prototype.
    'warning no-invalid-schema-examples: Example value must conform to the schema: `constructor` property type must be string.',
    'warning no-invalid-schema-examples: Example value must conform to the schema: `toString` property type must be string,null.',
    'warning no-invalid-schema-examples: Example value must conform to the schema: `valueOf` property type must be string,null.',
    // Who verifies no e-mails sends no link; probes refuse nobody.
    'warning operation-2xx-response: Operation must have at least one `2XX` response.',
    'warning operation-4xx-response: Operation must have at least one `4XX` response.',
  ])
})

const offline = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/** As the manifests of the benchmark of `svc generate`: six fields, and a neighbour. */
function neighbours(count: number): Blueprint {
  const numbers = Array.from({ length: count }, (_, at) => at + 101)
  const pairs = numbers.map((number) => [
    `item${number}s`,
    repository({
      title: 'name',
      searchable: ['name'],
      match: { is_active: 'boolean' },
      sort: ['id', 'name'],
      fields: {
        name: text().max(160),
        notes: textarea().nullable(),
        amount: integer(),
        price: decimal(10, 2),
        is_active: boolean().default(true),
        seen_at: dateTime().nullable(),
      },
      related: { neighbour: belongsTo(`item${((number - 100) % count) + 101}s`).nullable() },
    }),
  ])
  const repositories = Object.fromEntries(pairs) as Manifest['repositories']
  const manifest = defineManifest({ database: 'sqlite', reads: [], repositories } as never)
  const sources = { repositories: new Map(), locate: () => ({ file: '', line: 1, column: 1 }) }
  const built = buildBlueprint(manifest, { sources, userModel: null })
  if ('problems' in built) throw new Error(JSON.stringify(built.problems))
  return built.blueprint
}

test('a repository more is so many bytes more: eleven operations, nine schemas, four answers, four parameters', async () => {
  const bytes = async (count: number) => Buffer.byteLength(await textOf(neighbours(count)))
  expect(((await bytes(30)) - (await bytes(10))) / 20).toBeLessThanOrEqual(11_600)
})

test('a large project is described in a thread of its own, by the same text', async () => {
  const blueprint = neighbours(200)
  const facts = { openapi: { ...usualFacts(false), own: { info: { title: 'Ours' } } } }
  const options = { name: 'large', svckit: '10.0.0', facts }
  const project = describeProject(blueprint, options)
  expect(await writtenDocument(project)).toBe(await openapiDocument(project))
})

test('without openapi there is no file of it', async () => {
  for (const fixture of fixtures) {
    const blueprint = without(await blueprintOf(fixture, 'sqlite'), 'openapi')
    const files = await renderProject(blueprint, { name: fixture, svckit: '10.0.0' })
    const speaking = files.filter(({ path, content }) => /openapi/i.test(path + content))
    expect(speaking.map(({ path }) => path)).toEqual([])
  }
})
