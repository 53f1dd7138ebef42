import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { HttpError } from '../../../runtime/errors.js'
import { parseInclude } from '../../../runtime/features/relations/parse-include.js'
import type { IncludeTree } from '../../../runtime/query/query.js'
import { runs } from '../../support/runs.js'
import { printInclude } from './print-include.js'

const limits = { maxDepth: 8, maxPaths: 100 }
const parse = (text: string, within = limits) => parseInclude([['include', text]], within)

describe('the include grammar', () => {
  const node = (key: string, columns: string[] | null = null, children: IncludeTree = []) => ({
    key,
    columns,
    children,
  })

  test.each<[string, IncludeTree]>([
    ['', []],
    [',, ,', []],
    ['owner', [node('owner')]],
    [' owner , tags ', [node('owner'), node('tags')]],
    ['a.b.c', [node('a', null, [node('b', null, [node('c')])])]],
    ['a[x|y].b[z]', [node('a', ['x', 'y'], [node('b', ['z'])])]],
    ['a[x,y],b', [node('a', ['x', 'y']), node('b')]],
    ['a[ x | x ]', [node('a', ['x'])]],
    ['users.posts,users.roles', [node('users', null, [node('posts'), node('roles')])]],
    ['users[id].posts,users[name]', [node('users', ['id', 'name'], [node('posts')])]],
    ['a[x],a', [node('a', ['x'])]],
    ['constructor.__proto__', [node('constructor', null, [node('__proto__')])]],
  ])('reads %j', (text, tree) => {
    expect(parse(text)).toEqual(tree)
  })

  test.each([
    ['a[x', "The include parameter has a '[' without ']'."],
    ['a]', "The include parameter has an unexpected ']' at character 2."],
    ['a[x]]', "The include parameter has an unexpected ']' at character 5."],
    ['a[[x]]', "The include parameter has an unexpected '[' at character 3."],
    ['a[]', "The include parameter has an unexpected ']' at character 3."],
    ['a..b', "The include parameter has an unexpected '.' at character 3."],
    ['.a', "The include parameter has an unexpected '.' at character 1."],
    ['a.', 'The include parameter ends too early at character 3.'],
    ['a[x]b', "The include parameter has an unexpected 'b' at character 5."],
    ['a[x.y]', "The include parameter has an unexpected '.' at character 4."],
    ['a.b.c.d.e.f.g.h.i', 'The include parameter is nested deeper than 8.'],
  ])('refuses %j', (text, message) => {
    const read = () => parse(text)
    expect(read).toThrow(HttpError)
    expect(read).toThrow(message)
  })

  test('include and related are one tree', () => {
    const tree = parseInclude(
      [
        ['include', 'a.b'],
        ['related', 'a.c'],
      ],
      limits,
    )
    expect(printInclude(tree)).toBe('a.b,a.c')
  })

  /** How many characters of names were looked at, a character looked at twice being two. */
  function looks(read: () => void): number {
    using looked = vi.spyOn(String.prototype, 'charAt')
    read()
    return looked.mock.calls.length
  }

  test('ten thousand paths or segments are read once, and no further than is needed', () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `r${String(i)}`)
    const deep = names.join('.')
    const wide = names.join(',')
    const same = Array.from({ length: 10_000 }, () => 'a.b').join(',')
    const columns = `a[${names.join('|')}]`
    expect(looks(() => expect(() => parse(deep)).toThrow('nested deeper'))).toBeLessThan(8 * 4)
    expect(looks(() => expect(() => parse(wide)).toThrow('more than 100 rel'))).toBeLessThan(500)
    expect(looks(() => expect(parse(same)).toHaveLength(1))).toBeLessThanOrEqual(same.length)
    expect(
      looks(() => expect(parse(columns)[0]?.columns).toHaveLength(10_000)),
    ).toBeLessThanOrEqual(columns.length)
    const open = () => expect(() => parse('a['.repeat(10_000))).toThrow('unexpected')
    expect(looks(open)).toBeLessThan(8)
  })

  const name = fc.stringMatching(/^[a-zA-Z_$-]{1,8}$/)
  const tree: fc.Arbitrary<IncludeTree> = fc.letrec<{ level: IncludeTree }>((tie) => ({
    level: fc.uniqueArray(
      fc.record({
        key: fc.oneof(name, fc.constantFrom('constructor', '__proto__', 'toString')),
        columns: fc.option(fc.uniqueArray(name, { minLength: 1, maxLength: 4 })),
        children: fc.oneof({ depthSize: 'small' }, fc.constant([]), tie('level')),
      }),
      { selector: ({ key }) => key, maxLength: 4 },
    ),
  })).level

  test('a printed include parses to the same include', () => {
    const wide = { maxDepth: 100, maxPaths: 100_000 }
    fc.assert(
      fc.property(tree, (t) => {
        expect(parse(printInclude(t), wide)).toEqual(t)
      }),
      { numRuns: runs(100) },
    )
  })

  test('any text is read or refused', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', ',', '[', ']', '|', ' ') })
    fc.assert(
      fc.property(text, (t) => {
        try {
          const read = parse(t)
          expect(parse(printInclude(read))).toEqual(read)
        } catch (error) {
          expect(error).toBeInstanceOf(HttpError)
        }
      }),
      { numRuns: runs(100) },
    )
  })
})
