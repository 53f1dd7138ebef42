/** A large answer is written record by record, and says the same as the whole text. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonInTurns } from '../../../runtime/http/json-text.js'
import { runs } from '../../support/runs.js'

/** Values as attributes have them, those that JSON leaves out or writes otherwise among them. */
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, Number.NaN, -0, new Date(0), '\ud800', '</script>', '"\\\u2028'),
)
const members = fc.dictionary(fc.string(), value, { maxKeys: 3 })

const { record } = fc.letrec<{ record: object; related: unknown }>((tie) => ({
  record: fc.record(
    {
      id: fc.string(),
      attributes: members,
      relationships: fc.option(
        fc.dictionary(fc.constantFrom('posts', 'owner', 'data', '__proto__x'), tie('related')),
        { nil: undefined },
      ),
      meta: fc.option(members, { nil: undefined }),
    },
    { requiredKeys: ['id'] },
  ),
  related: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, undefined, 2, []),
    tie('record'),
    fc.array(tie('record'), { maxLength: 3 }),
  ),
}))

const answer = fc.record(
  {
    meta: fc.option(members, { nil: undefined }),
    links: fc.option(members, { nil: undefined }),
    data: fc.oneof(record, fc.array(record, { maxLength: 4 }), fc.constant(null)),
  },
  { requiredKeys: [] },
)

it('is the text of JSON.stringify, byte by byte', async () => {
  await fc.assert(
    fc.asyncProperty(answer, async (each) => {
      expect((await jsonInTurns(each)).toString()).toBe(
        Buffer.from(JSON.stringify(each)).toString(),
      )
    }),
    { numRuns: runs(500) },
  )
})

it('is the same of more text than one piece', async () => {
  const records = Array.from({ length: 3_000 }, (_, index) => ({
    id: String(index),
    attributes: { text: 'ж\ud83d\ude00'.repeat(100) },
    relationships: { owner: { id: '1', relationships: { posts: [] } } },
  }))
  const whole = { data: records, meta: { total: 3_000 } }
  expect((await jsonInTurns(whole)).toString()).toBe(JSON.stringify(whole))
})
