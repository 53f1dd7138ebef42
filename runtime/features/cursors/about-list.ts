import type { Access } from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import type { IndexQuery } from '../../model/queries.js'
import type { SortTerm, Test } from '../../model/sql-test.js'
import { isFilter } from '../../operations/read.js'
import { compile } from '../../sql/sql.js'
import type { Asked } from './asked.js'

const ours: Readonly<Record<keyof Asked, true>> = { cursor: true, cursorAs: true, withTotal: true }

/**
 * What a list is, as text: of which records, in which order. How much is shown of each, and how many
 * a page has, may change on the way.
 */
export function aboutList(access: Access, query: IndexQuery, terms: readonly SortTerm[]): string {
  const { entity, parent, parameters } = access
  const { match = [], search = null, tests = [], asked = {} } = query
  const filters = match
    .filter((sent) => isFilter(access, sent))
    .map(({ column, negated, text }) => JSON.stringify([column, negated, text]))
  return stable([
    entity.key,
    parent?.path ?? null,
    terms.map(({ key, descending, column }) => [key, descending, column?.kind ?? null]),
    [...new Set(filters)].toSorted(),
    search,
    [...parameters],
    // GraphQL has parameters among its arguments, too.
    Object.entries(asked).filter(([name]) => !Object.hasOwn(ours, name) && !parameters.has(name)),
    tests.map((test) => testText(access, test)),
  ])
}

function testText({ entity }: Access, test: Test): unknown {
  if (test === null || typeof test === 'boolean') return test
  const { text, parameters } = compile(test.sql, entity.dialect)
  return [text, parameters.map(String)]
}

/** JSON in which the order of members says nothing. */
const stable = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (isRecord(inner) ? inOrder(inner) : inner))

const inOrder = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)))
