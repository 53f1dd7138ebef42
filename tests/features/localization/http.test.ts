/** What is wrong with a request, in the language that it prefers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { english, englishAnswers } from '../../../runtime/features/localization/english.js'
import { checkTexts } from '../../../runtime/features/localization/messages.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
const italian = Object.fromEntries(
  Object.entries(english).map(([rule, text]) => [
    rule,
    text.replace('The {field} ', `${rule} di {field}: `),
  ]),
)

const answers = Object.fromEntries(
  Object.entries(englishAnswers).map(([rule, text]) => [rule, `${rule}: ${text}`]),
)

const config = `import type { Messages } from '#app/messages.js'

export const messages: Messages = {
  it: {
    texts: {
      ...${JSON.stringify({ ...italian, more: ' e altri {count}', required: 'Manca {field}.', uniqueTogether: 'Già presi: {fields}.' })},
      maxLength: ({ max, field }) => \`\${field}: al più \${max === '1' ? 'un carattere' : \`\${max} caratteri\`}\`,
    },
    answers: {
      ...${JSON.stringify({ ...answers, notFound: 'Non trovato.' })},
      tooManyRecords: ({ max, count }) => \`Al più \${max}, non \${count}.\`,
    },
    fields: {
      users: { name: 'nome', email: 'posta', password: 'parola', is_admin: 'capo' },
      things: {
        code: { label: 'codice', regex: 'Il codice ha solo maiuscole.' },
        seats: 'posti', kind: 'tipo', shelf: 'scaffale', place: 'posto', at: 'quando', other_id: 'altro',
      },
    },
  },
}
`

const hooks = `import type { HooksFor, ThingModel } from '#app/Models.js'
import { language } from '#runtime/features/localization/speak.js'

export const ThingHooks: HooksFor<ThingModel> = {
  validate: (_, { seats }) => (seats === 13 ? { seats: [language() === 'it' ? 'Porta male.' : 'is unlucky'] } : {}),
}
`

const path = '/api/svc/things'

describe.each(databases)('on %s', (database) => {
  let project: Project
  let ada = 0
  beforeAll(async () => {
    const files = { 'config/messages.ts': config, 'app/Hooks/ThingHooks.ts': hooks }
    project = await openManifest(
      { manifest: 'tests/features/localization/manifests/http.ts', files },
      database,
    )
    ada = await project.user('ada')
  })
  afterAll(() => project.close())

  const send = async (
    body: unknown,
    accepted: string | null = 'it',
    { method = 'POST', at = path } = {},
  ) => {
    const headers = {
      'content-type': 'application/json',
      ...(accepted === null ? {} : { 'accept-language': accepted }),
    }
    return project.request(method, at, { as: ada, headers, body: JSON.stringify(body) })
  }

  test.each([
    [{}, { code: ['Manca codice.'] }],
    [{ code: null }, { code: ['notNull di codice: must not be null.'] }],
    [{ code: 'abc' }, { code: ['Il codice ha solo maiuscole.'] }],
    [{ code: 'ABCDEFGHI' }, { code: ['codice: al più 8 caratteri'] }],
    [{ code: 'A', seats: 1 }, { seats: ['min di posti: must be at least 2.'] }],
    [{ code: 'A', kind: 'c' }, { kind: ['oneOf di tipo: must be one of: a, b.'] }],
    [
      { code: 'A', at: 'x' },
      { at: ['dateTime di quando: must be a time such as 2026-02-03T04:05:06Z.'] },
    ],
    [
      { code: 'A', other_id: '999' },
      { other_id: ['exists di altro: must be the id of a record that exists.'] },
    ],
    [{ code: 'A', seats: 13 }, { seats: ['Porta male.'] }],
  ])('%j is answered in the language of the request', async (body, errors) => {
    const answer = await send(body)
    expect([answer.status, answer.body.errors]).toEqual([422, errors])
    expect(answer.body.message).toBe(Object.values(errors)[0]?.[0])
    expect(answer.headers.get('content-language')).toBe('it')
    expect(answer.headers.get('vary')).toContain('Accept-Language')
  })

  test('values that are taken, alone and together', async () => {
    const first = { code: 'TAKEN', shelf: '1', place: '2' }
    expect((await send(first)).status).toBe(201)
    const { body } = await send(first)
    expect(body.errors).toEqual({
      code: ['unique di codice: has already been taken.'],
      shelf: ['Già presi: scaffale, posto.'],
      place: ['Già presi: scaffale, posto.'],
    })
    // Databases name the keys in orders of their own.
    expect(body.message).toMatch(/^(unique di codice|Già presi).*\. e altri 2$/)
  })

  test('lists and GraphQL', async () => {
    const list = await send([{ code: 'B' }, {}], 'it', { at: `${path}/bulk` })
    expect(list.body.errors).toEqual({ '1.code': ['Manca codice.'] })
    const query = 'mutation { createThing(input: { code: "b" }) { id } }'
    const { body, headers } = await send({ query }, 'it', { at: '/graphql' })
    expect(body.errors[0].extensions.errors).toEqual({ code: ['Il codice ha solo maiuscole.'] })
    expect(headers.get('content-language')).toBe('it')
  })

  test.each([
    [null, 'en'],
    ['de', 'en'],
    ['it-CH, en;q=0.5', 'it'],
    ['IT', 'it'],
    ['en;q=0.8, it;q=0.9', 'it'],
    ['it;q=0, en', 'en'],
    ['en, it', 'en'],
    ['it;q=0', 'en'],
    [';;=,"', 'en'],
  ])('Accept-Language %j is %s', async (accepted, language) => {
    const { body, headers } = await send({}, accepted)
    const said = { it: 'Manca codice.', en: 'The code field is required.' }[language]
    expect([body.errors.code, headers.get('content-language')]).toEqual([[said], language])
  })

  test('the document takes what a browser sends, and what is no list of languages not', () => {
    const text = readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8')
    const { schema } = JSON.parse(text).components.parameters.AcceptLanguage
    const pattern = new RegExp(schema.pattern)
    const right = ['it-CH, en;q=0.5', 'it', '*', 'de-Latn-1996,*;q=0.001', 'en;q=1.000 , it ; q=0']
    expect(right.filter((each) => !pattern.test(each))).toEqual([])
    const wrong = ['', 'it;q=2', 'it en', ',', 'it;', 'languages-', 'it;q=0.1234']
    expect(wrong.filter((each) => pattern.test(each))).toEqual([])
  })

  const asked = (method: string, at: string, body?: unknown, headers = {}) =>
    project.request(method, at, {
      as: ada,
      headers: { 'content-type': 'application/json', 'accept-language': 'it', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  test('other answers, of requests that read too', async () => {
    for (const [method, at, body, status, message] of [
      ['GET', `${path}/999`, undefined, 404, 'Non trovato.'],
      ['GET', '/api/svc/nothing', undefined, 404, 'Non trovato.'],
      ['PATCH', `${path}/999`, {}, 404, 'Non trovato.'],
      [
        'DELETE',
        path,
        undefined,
        405,
        'methodNotAllowed: Method not allowed; use GET, HEAD, POST.',
      ],
      ['POST', `${path}/bulk`, [], 422, 'noRecords: Name at least one record.'],
      ['POST', `${path}/bulk/delete`, { ids: [{}] }, 422, 'Manca id.'],
      [
        'POST',
        '/api/login',
        { email: 'ann@example.test', password: 'x' },
        401,
        'invalidCredentials: ',
      ],
    ] as const) {
      const answer = await asked(method, at, body)
      expect([at, answer.status, answer.body.message]).toEqual([
        ...[at, status, expect.stringContaining(message)],
      ])
      expect(answer.headers.get('content-language')).toBe('it')
      expect(answer.headers.get('vary')).toContain('Accept-Language')
    }
  })

  test('in errors that name records, and of many more than are taken', async () => {
    const missing = await asked('PATCH', `${path}/bulk`, [{ id: '999', seats: 3 }, 7])
    expect([missing.status, missing.body.errors]).toEqual([
      422,
      { 1: ['recordIsObject: Each record must be an object.'] },
    ])
    const gone = await asked('POST', `${path}/bulk/delete`, { ids: ['999'] })
    expect([gone.status, gone.body]).toEqual([
      404,
      { message: 'Non trovato.', errors: { 'ids.0': ['Non trovato.'] } },
    ])
    const twice = await asked('POST', `${path}/bulk/delete`, { ids: ['1', '1'] })
    expect(twice.body.errors).toEqual({ 'ids.1': ['listedTwice di id: is in the list already.'] })
    const many = Array.from({ length: 1001 }, () => ({}))
    const tooMany = await asked('POST', `${path}/bulk`, many)
    expect([tooMany.status, tooMany.body.message]).toEqual([413, 'Al più 1000, non 1001.'])
  })

  test('over GraphQL, and not what a client is written with', async () => {
    const { body } = await asked('POST', '/graphql', {
      query: 'mutation { deleteThing(id: "999") }',
    })
    expect(body.errors[0]).toMatchObject({
      message: 'Non trovato.',
      extensions: { code: 'NOT_FOUND' },
    })
    const wrong = await asked('GET', `${path}?page=x`)
    expect([wrong.status, wrong.headers.get('content-language')]).toEqual([400, null])
    const english = await project.request('GET', `${path}/999`, { as: ada })
    expect([english.body.message, english.headers.get('content-language')]).toEqual([
      'Not found.',
      'en',
    ])
  })

  test('what says nothing is wrong has no language', async () => {
    const { status, headers } = await send({ code: 'FINE' })
    expect([status, headers.get('content-language')]).toEqual([201, null])
  })

  test('requests beside each other hear their own', async () => {
    const all = Array.from({ length: 20 }, (_, at) => send({}, at % 2 === 0 ? 'it' : 'en'))
    const said = (await Promise.all(all)).map(({ body }) => body.message)
    expect(new Set(said.filter((_, at) => at % 2 === 0))).toEqual(new Set(['Manca codice.']))
    expect(new Set(said.filter((_, at) => at % 2 === 1))).toEqual(
      new Set(['The code field is required.']),
    )
  })
})

test('a name that no rule has stops the start', () => {
  const texts = { ...english, max: 'Al più {maximum}.' }
  expect(() => checkTexts({ it: { texts, answers: englishAnswers, fields: {} } })).toThrow(
    'config/messages.ts: it.texts.max names {maximum}\n  known  {field}, {max}\n',
  )
})

test('and one that an answer does not have', () => {
  const texts = { texts: english, fields: {} }
  expect(() =>
    checkTexts({ it: { ...texts, answers: { ...englishAnswers, notFound: 'Non {id}.' } } }),
  ).toThrow('config/messages.ts: it.answers.notFound names {id}\n  known  none\n')
})

test('a project begins with the texts of the server', async () => {
  const path = '../../../fixtures/features/messages/expected/config/messages.ts'
  const { messages } = await import(path)
  expect(messages.it).toMatchObject({ texts: english, answers: englishAnswers })
})
