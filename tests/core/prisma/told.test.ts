/** Kinds that say which texts are a value of them: what the SQL of both databases takes, code takes, and nothing else. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqlText } from '../../../generator/kinds/sql.js'
import { conversionOf } from '../../../generator/migrations/rows/conversions/conversion.js'
import type { Form } from '../../../generator/migrations/rows/conversions/form.js'
import { runs } from '../../support/runs.js'
import { outcome } from './conversion-model.js'
import { told } from './conversion-samples.js'
import { databases, openLive, type Live } from './live.js'

const text: Form = { kind: 'textarea', type: 'String', nullable: false }

/** A text with a few letters more, less, or others. */
const changed = (texts: readonly string[]) => {
  const letters = [...new Set(`${texts.join('')} AZaz09-_.+@:/?#[]()\\\n\té`)]
  const change = fc.record({ at: fc.nat(), less: fc.nat(1), more: fc.constantFrom('', ...letters) })
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(change, { maxLength: 3 }))
    .map(([start, changes]) =>
      changes.reduce((given, { at, less, more }) => {
        const place = at % (given.length + 1)
        return `${given.slice(0, place)}${more}${given.slice(place + less)}`
      }, start),
    )
}

describe.each(databases)('a text that becomes a field of another kind on %s', (database) => {
  let live: Live
  beforeAll(async () => void (live = await openLive(database)))
  afterAll(() => live.close())

  /** By the SQL of a migration; null: it stops there. */
  async function become(to: Form, texts: readonly string[]): Promise<readonly unknown[]> {
    const { fits, value } = conversionOf(database, text, to) ?? {}
    const rows = texts.map((given, at) => `(${at}, ${sqlText(given)})`)
    const found = await live.run(
      `SELECT CASE WHEN ${fits?.('"column2"')} THEN ${value?.('"column2"')} END AS kept
        FROM (VALUES ${rows.join(', ')}) AS texts ORDER BY "column1"`,
    )
    return found.map(({ kept }) => kept)
  }

  test.each(told)('is $name where it is one in code', async ({ name, samples, drops }) => {
    const to: Form = { kind: name, type: 'String', nullable: false }
    expect(await become(to, samples.values)).toEqual(samples.values)
    expect(await become(to, samples.others)).toEqual(samples.others.map(() => null))
    const marked = samples.values.map((each) => Array.from(each).join(drops))
    expect(await become(to, marked)).toEqual(samples.values)

    const texts = fc.array(changed([...samples.values, ...samples.others]), { minLength: 100 })
    const property = fc.asyncProperty(texts, async (given) => {
      const kept = await become(to, given)
      const wrong = given.filter((each, at) => {
        const isRight = outcome(text, to, each)
        return isRight === null ? kept[at] !== null : !isRight(kept[at])
      })
      expect(wrong).toEqual([])
    })
    await fc.assert(property, { numRuns: runs(10) })
  })
})
