import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import type { Blueprint, Json } from '../../generator/blueprint/types.js'
import { openapiDocument } from '../../generator/plan/openapi/document.js'
import type { Data, OpenapiFacts } from '../../generator/plan/openapi/facts.js'
import { usualFacts } from '../../generator/plan/openapi/facts.js'
import { printDocument } from '../../generator/plan/openapi/print.js'
import { describeProject } from '../../generator/plan/project.js'
import { renderProject } from '../../generator/plan/render.js'
import { blueprintOf, fixtures } from './fixture.js'

function documentOf(blueprint: Blueprint, facts: Partial<OpenapiFacts> = {}): Data {
  const openapi = { ...usualFacts(blueprint.auth !== null), ...facts }
  return openapiDocument(describeProject(blueprint, { name: 'api', svckit: '10.0.0', openapi }))
}

const operationsIn = (document: Data) =>
  Object.entries(document['paths'] as Record<string, Record<string, Data>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]) => ({ path, method, operation })),
  )

describe.each(fixtures)('the document of %s', (fixture) => {
  test('is OpenAPI 3.1, as its schema has it', async () => {
    const document = documentOf(await blueprintOf(fixture, 'sqlite'))
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  test('is the same text twice, and on either database', async () => {
    const texts = (['sqlite', 'postgresql'] as const).map(async (database) =>
      printDocument(documentOf(await blueprintOf(fixture, database))),
    )
    const [one, other] = await Promise.all(texts)
    expect(one).toBe(other)
    const ids = operationsIn(documentOf(await blueprintOf(fixture, 'sqlite'))).map(
      ({ operation }) => operation['operationId'],
    )
    expect(ids).toEqual([...new Set(ids)])
  })
})

test('operations are called by what they do', async () => {
  const ids = operationsIn(documentOf(await blueprintOf('blog', 'sqlite')))
    .filter(({ path }) => /^\/api\/svc\/(posts|companies\/\{id\}\/\w+\/users)/.test(path))
    .map(({ operation }) => operation['operationId'])
  expect(ids).toEqual(
    expect.arrayContaining([
      ...['indexPosts', 'showPost', 'storePost', 'replacePost', 'patchPost', 'deletePost'],
      ...['indexCommentsOfPost', 'storeCommentsOfPost', 'attachPostTags', 'attachCompanyUsers'],
    ]),
  )
})

test('a repository may be called like a schema of another', async () => {
  const blueprint = await blueprintOf('minimal', 'sqlite')
  const [note] = blueprint.entities
  const named = (key: string, name: string) => ({ ...note, key, name }) as Blueprint['entities'][0]
  const entities = [named('notes', 'Note'), named('note-pages', 'NotePage'), named('metas', 'Meta')]
  const document = documentOf({ ...blueprint, entities })
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
  const document = documentOf(await blueprintOf('blog', 'sqlite'), { own })
  expect(document['info']).toMatchObject({ title: 'api', version: '2.1.0' })
  expect(Object.keys(document['paths'] as object)).toEqual(
    expect.arrayContaining(['/api/stats', '/api/svc/posts']),
  )
})

test('without openapi there is no file of it', async () => {
  for (const fixture of fixtures) {
    const { openapi: _asked, ...blueprint } = await blueprintOf(fixture, 'sqlite')
    const files = await renderProject(blueprint, { name: fixture, svckit: '10.0.0' })
    const speaking = files.filter(({ path, content }) => /openapi/i.test(path + content))
    expect(speaking.map(({ path }) => path)).toEqual([])
  }
})
