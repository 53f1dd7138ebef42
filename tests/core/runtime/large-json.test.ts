/** Large bodies are read in pieces, and say the same as the whole text. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBody, parseJson } from '../../../runtime/http/body.js'
import { scanInTurns } from '../../../runtime/http/large-json.js'
import { jsonShape } from '../../../runtime/model/json-shape.js'
import { runs } from '../../support/runs.js'

/** Texts of records that are longer than a piece, together. */
const filler = `"${'ж, ]}\\" \\\\ '.repeat(9_000)}"`

async function outcome(read: () => unknown): Promise<unknown> {
  try {
    return await read()
  } catch (error) {
    return String(error)
  }
}

const limits = { depth: 64, recordBytes: 8_388_608, isStrict: false }
const readWhole = (text: string) => outcome(() => parseJson(Buffer.from(text), 64))
const readPieces = (text: string) => outcome(() => parseBody(Buffer.from(text), limits))

describe('a large body', () => {
  it.each([
    ['a list', `[${filler},{"a":${filler}},[${filler},${filler}],1,${filler}]`],
    ['a list among blanks', ` \n[ ${filler} , ${filler} , ${filler} , ${filler} ]\t\r\n`],
    ['an object', `{"a":[${filler},${filler},${filler},${filler}],"b":${filler}}`],
    ['a text', filler],
    ['two lists', `[${filler},${filler},${filler}],[${filler},${filler}]`],
    ['no value between two commas', `[${filler},${filler},${filler},,${filler},${filler}]`],
    ['no value at the end', `[${filler},${filler},${filler},${filler},]`],
    ['no value at the beginning', `[,${filler},${filler},${filler},${filler}]`],
    ['a list that does not end', `[${filler},${filler},${filler},${filler}`],
    ['an object in brackets of a list', `[${filler},${filler},${filler}},{${filler}]`],
    ['a key without its object', `[${filler},${filler},${filler},"a":${filler}]`],
    ['a member __proto__', `[{"__proto__":1},${filler},${filler},${filler},{"__proto__":{}}]`],
    ['blanks', ' '.repeat(300_000)],
    ['one bracket', `${' '.repeat(300_000)}[`],
    ['deep lists', `${'['.repeat(40_000)}${']'.repeat(40_000)}`],
    ['many values', `[${'1,'.repeat(100_000)}1]`],
  ])('that holds %s is read as the same text in one piece', async (_, text) => {
    expect(text.length).toBeGreaterThan(65_536)
    expect(await readPieces(text)).toEqual(await readWhole(text))
  })

  it('has the depth and the values of its text, wherever a piece ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), fc.nat(20), async (value, blanks) => {
        const text = `${' '.repeat(262_144 - blanks)}${JSON.stringify(value)}`
        const { depth, values } = await scanInTurns(Buffer.from(text))
        expect({ depth, values }).toEqual(jsonShape(text))
      }),
      { numRuns: runs(50) },
    )
  })
})
