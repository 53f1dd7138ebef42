/**
 * Rules of a text field besides kind and length: over HTTP, in GraphQL and in the API's document.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

/** A kind that has a pattern of its own. */
const formed = 'slug'

const manifest = {
  manifest: 'tests/core/http/manifests/text-rules.ts',
  change: (text: string) =>
    text.replace('path: text()', `path: ${formed}()`).replace('import {', `import { ${formed},`),
}

const path = '/api/svc/things'

/** By field: what it takes, what it does not, and what is said then. */
const cases = [
  ['code', 'ABC-1', 'abc-1', 'The code must be three letters, a dash and digits.'],
  ['code', 'XYZ-1234', 'ABC-1\n', 'The code must be three letters, a dash and digits.'],
  ['label', 'No. 1!', 'no. 1!', 'The label must begin with No. .'],
  ['label', 'No. !', 'No. 1', 'The label must end with !.'],
  ['even', '12', '13', 'The even must match /[02468]$/u.'],
  ['shop', 'https://example.com', 'http://example.com', 'The shop must begin with https://.'],
  ['mobile', '+39 333 1234567', '+44 333 1234567', 'The mobile must begin with +39.'],
  ['path', 'p-2', 'q-2', 'The path must match /^p-/u.'],
  ['address', 'a@example.com', 'a@example.org', 'The address must end with @example.com.'],
] as const

describe.each(databases)('on %s', (database) => {
  let project: Project
  beforeAll(async () => {
    project = await openManifest(manifest, database)
  })
  afterAll(() => project.close())

  test.each(cases)('%s takes %j and not %j', async (field, right, wrong, says) => {
    const code = `DEF-${cases.findIndex((each) => each[1] === right)}`
    const made = await project.post(path, { code, [field]: right })
    expect([made.status, made.body.errors]).toEqual([201, undefined])
    const refused = await project.post(path, { code: 'GHI-1', [field]: wrong })
    expect([refused.status, refused.body.errors]).toEqual([422, { [field]: [says] }])
    const patched = await project.patch(`${path}/${made.body.data.id}`, { [field]: wrong })
    expect([patched.status, patched.body.errors]).toEqual([422, { [field]: [says] }])
  })

  test('says all that is wrong with one text', async () => {
    const { body } = await project.post(path, { code: 'ABC-1', even: 'one', label: 'x' })
    expect(body.errors).toEqual({
      even: ['The even must match /^\\d+$/u.', 'The even must match /[02468]$/u.'],
      label: ['The label must begin with No. .', 'The label must end with !.'],
    })
  })

  test('holds in GraphQL', async () => {
    const query = 'mutation { createThing(input: { code: "abc" }) { code } }'
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ query })
    const answer = await project.request('POST', '/graphql', { body, headers })
    expect(answer.body.errors[0].extensions.errors).toEqual({
      code: ['The code must be three letters, a dash and digits.'],
    })
  })

  test('is in the document, with a value that passes', () => {
    const text = readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8')
    const { properties } = JSON.parse(text).components.schemas.ThingStore
    const { examples, ...code } = properties.code
    const allOf = [{ pattern: '\\S' }, { pattern: '^[A-Z]{3}-\\d+$' }]
    expect(code).toEqual({ type: 'string', minLength: 1, maxLength: 8, allOf })
    expect(examples).toEqual([expect.stringMatching(/^[A-Z]{3}-\d+$/)])
    expect(properties.label.allOf).toEqual([{ pattern: '^No\\. ' }, { pattern: '!$' }])
    expect(properties.path.allOf).toHaveLength(2)
  })
})
