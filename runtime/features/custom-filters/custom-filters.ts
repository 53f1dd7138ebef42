import type { Access, Askable, Extension, ListFilter, ListOrder } from '../../model/entity.js'
import { getOwn, isRecord } from '../../model/get-own.js'
import type { MatchValue } from '../../model/queries.js'
import { answerTest } from '../../policy/condition-sql.js'
import { ValueMistake } from '../../policy/policy-mistake.js'
import { badParameter } from '../../query/query.js'
import { unknownName } from '../../query/strict-queries.js'
import { asSeen } from './as-seen.js'
import {
  type AnyFilters,
  type DeclaredFilter,
  type DeclaredFilters,
  fileOf,
  type FiltersOf,
} from './declared.js'
import { badFilters, example, filtersTextOf, readFilters } from './filters-text.js'
import { sortTermOf } from './sorters.js'
import { type Read, readTexts, readValue } from './values.js'

/**
 * For a repository: what the manifest lets requests ask, and `app/Filters` answers. Matchers are
 * parameters, `popular=true`; sorters stand in `sort`; filters in `filters`, as Restify sends them. A
 * condition that is answered joins the policy.
 *
 * @example extensions: [customFilters(PostFilters, { match: { popular: { kind: 'boolean' } } })]
 */
export function customFilters(answers: FiltersOf, declared: DeclaredFilters): Extension {
  // The file has its types: what calls it here has read the values that they say.
  const own = { answers: answers as AnyFilters, declared }
  return {
    read: {
      filter: filterOf(own),
      order: orderOf(own),
      askable: (access) => askable(own, access),
    },
  }
}

/** A repository's declaration, and the functions that answer it. */
interface Own {
  readonly answers: AnyFilters
  readonly declared: DeclaredFilters
}

/** A value that was sent, as its answer gets it. */
interface Asked {
  readonly part: 'match' | 'filters'
  readonly name: string
  readonly value: unknown
  /** The 400 that says what is wrong with the value. */
  readonly wrong: (problem: string) => Error
}

/** Takes filters by their keys: a column that is called so is `filter[filters]`. */
const parameter = 'filters'

/** `filters[ready]` would be of it, and is 400: left out, it would find more than was asked. */
const isParameter = ({ entity }: Access, name: string): boolean =>
  name === parameter ||
  (name.startsWith(`${parameter}[`) && getOwn(entity.match?.types, parameter) === undefined)

const isOpen = ({ answers }: Own, { request }: Access, name: string): boolean => {
  const gate = getOwn(answers.canSee, name)
  return gate === undefined || gate(request.user) === true
}

/** The names of a part that this user may ask for. */
const openIn = (own: Own, access: Access, part: keyof DeclaredFilters): readonly string[] =>
  Object.keys(own.declared[part] ?? {}).filter((name) => isOpen(own, access, name))

const matcher = (own: Own, access: Access, name: string): DeclaredFilter | undefined =>
  isOpen(own, access, name) ? getOwn(own.declared.match, name) : undefined

const hasFilters = (own: Own, access: Access): boolean => openIn(own, access, 'filters').length > 0

function filterOf(own: Own): ListFilter {
  return {
    takes: (access, name, { isFilter = false }) =>
      matcher(own, access, name) !== undefined ||
      (isParameter(access, name) && !isFilter && hasFilters(own, access)),
    names: (access) => [
      ...openIn(own, access, 'match'),
      ...(hasFilters(own, access) ? [parameter] : []),
    ],
    textOf: (access, name, value) =>
      name === parameter && hasFilters(own, access) ? filtersTextOf(value) : null,
    isScan: ({ filters }) => isRecord(filters) && Object.keys(filters).length > 0,
    conditions: (access, said, { filters }) => {
      const isMatcher = ({ column }: MatchValue) => matcher(own, access, column) !== undefined
      const matched = askedByMatchers(own, access, said.filter(isMatcher))
      const sent = sentFilters(said.filter((each) => !isMatcher(each)))
      const typed = isRecord(filters) ? Object.entries(filters) : []
      const asked = [
        ...matched,
        ...[...sent, ...typed].map((each) => askedFilter(own, access, each)),
      ]
      return Promise.all(asked.map((each) => conditionOf(own, access, each)))
    },
  }
}

/** Found is what the answer admits, of what this user may see; without an answer nothing is. */
async function conditionOf({ answers }: Own, access: Access, asked: Asked): Promise<unknown> {
  const answer = getOwn(answers[asked.part], asked.name)
  const said = (await answer?.(asked.value, { user: access.request.user })) ?? false
  checkAnswer(access, said, asked)
  const seen = await asSeen(access, said)
  checkValues(access, seen, asked)
  return seen
}

/** A wrong answer is a mistake in this file; the conditions joined with it belong to policies. */
function checkAnswer({ entity }: Access, said: unknown, { part, name }: Asked): void {
  try {
    answerTest(entity, said, 't0', fileOf(entity, part, name))
  } catch (error) {
    // That is told of what this user may see alone.
    if (!(error instanceof ValueMistake)) throw error
  }
}

/** A column can have fewer values than the kind of a filter: 0.001 is a number, and no price. */
function checkValues({ entity }: Access, condition: unknown, { wrong }: Asked): void {
  try {
    answerTest(entity, condition)
  } catch (error) {
    if (!(error instanceof ValueMistake)) throw error
    throw wrong('must be a value that a record can have')
  }
}

function askedByMatchers(own: Own, access: Access, said: readonly MatchValue[]): readonly Asked[] {
  return [...byName(said)].flatMap(([name, texts]) => {
    const declared = matcher(own, access, name)
    if (declared === undefined) return []
    const read = readTexts(declared, texts)
    const wrong = (problem: string) => badParameter(name, problem)
    return [{ part: 'match', name, value: valueOf(read, wrong), wrong }]
  })
}

/** Texts by name, each once: sent twice, the same text says it once. */
function byName(said: readonly MatchValue[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>()
  for (const { column, negated, text } of said) {
    if (negated) {
      const problem = `must not begin with a minus: the value of ${column} says what it finds`
      throw badParameter(`-${column}`, problem)
    }
    names.set(column, [...new Set(names.get(column)).add(text)])
  }
  return names
}

type Sent = readonly [key: string, value: unknown]

function sentFilters([first, second]: readonly MatchValue[]): readonly Sent[] {
  if (first === undefined) return []
  if (first.negated) throw badParameter(`-${parameter}`, `must be ${parameter}`)
  const inside = [first, second].find((each) => each?.column.includes('['))
  if (inside !== undefined) {
    const problem = `is not known: '${parameter}' is, which is base64 of ${example}`
    throw badParameter(inside.column, problem)
  }
  if (second !== undefined) throw badFilters('must not be sent more than once')
  return readFilters(first.text).map(({ key, value }) => [key, value] as const)
}

function askedFilter(own: Own, access: Access, [name, sent]: Sent): Asked {
  const known = openIn(own, access, 'filters')
  const declared = known.includes(name) ? getOwn(own.declared.filters, name) : undefined
  if (declared === undefined) {
    throw unknownName(parameter, name, `filter ${access.entity.key} by`, known)
  }
  const wrong = (problem: string) => badFilters(`is wrong: the value of '${name}' ${problem}`)
  return { part: 'filters', name, value: valueOf(readValue(declared, sent), wrong), wrong }
}

function valueOf(read: Read, wrong: (problem: string) => Error): unknown {
  if ('problem' in read) throw wrong(read.problem)
  return read.value
}

function orderOf(own: Own): ListOrder {
  const { answers, declared } = own
  return {
    keys: Object.keys(declared.sort ?? {}),
    term: async (access, key, descending) => {
      if (!isOpen(own, access, key)) return null
      const said = await getOwn(answers.sort, key)?.({ user: access.request.user })
      return sortTermOf(access, { key, descending }, said)
    },
  }
}

function askable(own: Own, access: Access): readonly Askable[] {
  const { match, sort, filters } = own.declared
  return [
    ...openIn(own, access, 'match').map((key) => row('matches', key, match?.[key])),
    ...openIn(own, access, 'sort').map((key) => row('sortables', key, sort?.[key])),
    ...openIn(own, access, 'filters').map((key) => row('filters', key, filters?.[key])),
  ]
}

const row = (list: Askable['list'], key: string, said: object | undefined): Askable =>
  Object.assign({ list, key }, said)
