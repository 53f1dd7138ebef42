/** Why's answer is that of the request, on each surface: REST and GraphQL, over HTTP. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyRecord } from '../../../runtime/features/explain/why.js'
import type { Entity, Row } from '../../../runtime/model/entity.js'
import type { Condition } from '../../../runtime/policy/policy-types.js'
import type { NoteModel } from '../../core/kernel/models.js'
import { condition, note } from '../../core/kernel/random-conditions.js'
import { toldOn } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import { load, type Answer, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

type Rule = boolean | Condition<NoteModel>
type Rules = Record<'show' | 'store' | 'update' | 'delete', Rule>

/** What the policy answers now. */
const answers: Rules = { show: true, store: true, update: true, delete: true }
Object.assign(globalThis, { whyAnswers: answers })

const ruleOf = (name: string) =>
  `() => (globalThis as unknown as { whyAnswers: Record<string, boolean> }).whyAnswers['${name}'] ?? false`

const manifest = {
  manifest: 'tests/features/explain/manifests/http.ts',
  policies: {
    Note: {
      ...Object.fromEntries(
        ['show', 'store', 'update', 'delete'].map((name) => [name, ruleOf(name)]),
      ),
    },
  },
}

const api = '/api/svc/notes'
const codes: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_FAILED: 422,
}

/** No answer at all is a mistake that types see. */
const rule = condition.filter((answer) => typeof answer === 'boolean' || typeof answer === 'object')
const rules = fc.record<Rules>({
  show: fc.oneof(fc.constant(true), rule),
  store: rule,
  update: rule,
  delete: rule,
})

describe.each(toldOn('postgresql'))('why on %s', (name) => {
  let project: Project
  let entity: Entity
  let ann = 0
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    entity = (await load(project.folder, 'app/Repositories/index.ts')).repositories.notes.definition
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())

  const open: Rules = { show: true, store: true, update: true, delete: true }

  async function made(row: object): Promise<string> {
    Object.assign(answers, open)
    const { body, status } = await project.post(api, row, ann)
    expect(status, JSON.stringify(body)).toBe(201)
    return String(body.data.id)
  }

  /** A guest is 401 before any policy where the server asks for a token. */
  const rest = (id: string, body: object, as?: number): Record<string, () => Promise<number>> => ({
    show: async () => (await project.get(`${api}/${id}`, as)).status,
    update: async () => (await project.patch(`${api}/${id}`, body, as)).status,
    store: async () => (await project.post(api, body, as)).status,
    delete: async () => (await project.delete(`${api}/${id}`, as)).status,
  })

  const graphql = (
    id: string,
    body: Row,
    as?: number,
  ): Record<string, () => Promise<number | string>> => {
    const { price } = body
    // Decimals are numbers in GraphQL's input.
    const input = { ...body, price: price === null ? null : Number(price) }
    const sent = async (query: string, done: number, variables: object = {}) => {
      const answer: Answer = await project.post('/graphql', { query, variables }, as)
      const { data, errors } = answer.body
      const code = errors?.[0]?.extensions?.code
      if (code !== undefined) return codes[code] ?? JSON.stringify(errors)
      return data !== null && Object.values(data)[0] === null ? 404 : done
    }
    const declared = '$input: NoteInput!'
    return {
      show: () => sent(`{ note(id: "${id}") { id } }`, 200),
      update: () =>
        sent(`mutation (${declared}) { updateNote(id: "${id}", input: $input) { id } }`, 200, {
          input,
        }),
      store: () =>
        sent(`mutation (${declared}) { createNote(input: $input) { id } }`, 201, { input }),
      delete: () => sent(`mutation { deleteNote(id: "${id}") }`, 204),
    }
  }

  it.each([
    ['REST', rest],
    ['GraphQL', graphql],
  ] as const)('is the outcome in %s, for random policies and rows', async (_, surface) => {
    await fc.assert(
      fc.asyncProperty(note, note, rules, fc.boolean(), async (row, body, said, isGuest) => {
        const as = isGuest ? undefined : ann
        const user: Row | null = isGuest ? null : { id: ann, name: 'Ann', is_admin: false }
        for (const operation of ['show', 'update', 'store', 'delete'] as const) {
          const id = await made(row)
          Object.assign(answers, said)
          const asked = { entity, operation, id, user, body, audience: 'command' } as const
          const why = await whyRecord(asked)
          const status = await surface(id, body, as)[operation]?.()
          expect([operation, why.sentence, why.status]).toEqual([operation, why.sentence, status])
        }
      }),
      { numRuns: runsOn(name, 30) },
    )
  })
})
