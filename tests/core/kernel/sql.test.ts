import { expect, test } from 'vitest'
import {
  compile,
  flat,
  identifier,
  isSame,
  join,
  raw,
  type Sql,
  sql,
} from '../../../runtime/sql/sql.js'

const both = (left: Sql | number, right: Sql | number) => sql`select ${left}, ${right}`

test('a statement is the text of its pieces, whatever was written before it', () => {
  const name = identifier('posts', 'title')
  // The first of each pair is known when the second is written; only the order of their parts differs.
  const cases: readonly (readonly [Sql, string, readonly unknown[]])[] = [
    [both(name, 1), 'select "posts"."title", ?', [1]],
    [both(1, name), 'select ?, "posts"."title"', [1]],
    [both(1, 2), 'select ?, ?', [1, 2]],
    [both(sql`(${1})`, 2), 'select (?), ?', [1, 2]],
    [both(1, sql`(${2})`), 'select ?, (?)', [1, 2]],
    [join([1, sql`${2} + ${3}`]), '?, ? + ?', [1, 2, 3]],
    [join([sql`${1} + ${2}`, 3]), '? + ?, ?', [1, 2, 3]],
    [join([1, 2, 3], ' or '), '? or ? or ?', [1, 2, 3]],
    [join([]), '', []],
    [
      flat(sql`select ${both(name, 1)} where ${sql`${name} = `}${2}`),
      'select select "posts"."title", ? where "posts"."title" = ?',
      [1, 2],
    ],
  ]
  for (const round of [1, 2]) {
    for (const [query, text, parameters] of cases) {
      expect([round, compile(query, 'sqlite')]).toEqual([round, { text, parameters }])
      let place = 0
      const numbered = text.replaceAll('?', () => `$${++place}`)
      expect(compile(query, 'postgresql')).toEqual({ text: numbered, parameters })
    }
  }
})

test('what is known of statements is forgotten, and written again, when callers made too many', () => {
  for (let n = 0; n < 25_000; n++) {
    const query = sql`select ${raw(`column_${n}`)} from t where a = ${n}`
    expect(compile(query, 'sqlite')).toEqual({
      text: `select column_${n} from t where a = ?`,
      parameters: [n],
    })
  }
})

test('two pieces are the same when the same templates made them with the same values', () => {
  const owner = (value: number) => sql`${identifier('owner_id')} = ${value}`
  expect(isSame(owner(1), owner(1))).toBe(true)
  expect(isSame(owner(1), owner(2))).toBe(false)
  expect(isSame(owner(1), sql`${identifier('user_id')} = ${1}`)).toBe(false)
  const enclosed = (piece: Sql | number) => sql`(${piece})`
  expect(isSame(enclosed(owner(1)), enclosed(owner(1)))).toBe(true)
  expect(isSame(enclosed(owner(1)), enclosed(1))).toBe(false)
})
