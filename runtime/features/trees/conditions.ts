import { badRequest, HttpError } from '../../errors.js'
import type { Access, ListFilter } from '../../model/entity.js'
import { nearest } from '../../model/nearest.js'
import type { MatchValue } from '../../model/queries.js'
import { combine } from '../../policy/condition.js'
import { filtersOf } from '../../query/extension-parameters.js'
import { badParameter } from '../../query/query.js'
import { columnConditions, comparedColumn, wordsOf } from '../operators/operators.js'
import { type Comparison, type Leaf, most, type Tree } from './read-tree.js'

/** Steps to related records so far. */
interface Counted {
  steps: number
}

/** Returns the condition of a tree, as a policy has it. */
export async function conditionOf(
  access: Access,
  tree: Tree,
  counted: Counted = { steps: 0 },
): Promise<unknown> {
  if (tree.is === 'leaf') return combine('all', await leafConditions(access, tree, counted))
  if (tree.is === 'not') return combine('not', [await conditionOf(access, tree.part, counted)])
  const parts: unknown[] = []
  for (const part of tree.parts) parts.push(await conditionOf(access, part, counted))
  return combine(tree.is, parts)
}

/** Returns the conditions of a column to match by, or of another filter with that name. */
async function leafConditions(
  access: Access,
  leaf: Leaf,
  counted: Counted,
): Promise<readonly unknown[]> {
  const { tests } = leaf
  const name = columnIn(leaf.name)
  if (name.includes('[')) throw unknown(access, leaf)
  const isOwn = tests.every((test) => test.name === leaf.name)
  if (isOwn && comparedColumn(access, name) !== null) {
    const words = tests.map(({ word, value }) => [word, value] as const)
    return placed(leaf, name, () => columnConditions(access, name, words))
  }
  const found = await otherConditions(access, leaf, tests, counted)
  if (found !== null) return found
  const below =
    isOwn && !leaf.isPlain ? await otherConditions(access, leaf, tests.map(member), counted) : null
  if (below !== null) return below
  throw unknown(access, leaf)
}

/** `{ seller: { name: 'Ada' } }`: a member that is no word leads further down. */
const member = ({ name, word, value }: Comparison): Comparison => ({
  name: `${name}.${word}`,
  word: Array.isArray(value) ? 'in' : 'equals',
  value,
})

/** Null: nothing else filters by these names. */
async function otherConditions(
  access: Access,
  leaf: Leaf,
  tests: readonly Comparison[],
  counted: Counted,
): Promise<readonly unknown[] | null> {
  for (const filter of othersOf(access)) {
    if (tests.every((test) => filter.takes(access, sentAs(test), { isFilter: true }))) {
      counted.steps += stepsOf(tests)
      if (counted.steps > most.steps) {
        const counts = 'a custom filter counts as one'
        throw badParameter(
          'where',
          `must take at most ${most.steps} steps to related records (${counts})`,
        )
      }
      // Together: what is said of one relation speaks of one record.
      const said = tests.flatMap((test) => valuesOf(leaf, test))
      const make = () => filter.conditions(access, said, {})
      const conditions = await placed(leaf, columnIn(leaf.name), make)
      if (conditions.length > 0) return conditions
    }
  }
  return null
}

/** `seller.name` and `seller.company.name` below one member take two together. A custom filter, which may ask of related records, counts as one. */
function stepsOf(tests: readonly Comparison[]): number {
  const ways = tests.flatMap(({ name }) => {
    const parts = columnIn(name).split('.')
    return parts
      .slice(0, Math.max(1, parts.length - 1))
      .map((_, at) => parts.slice(0, at + 1).join('.'))
  })
  return new Set(ways).size
}

/** `filter[any]` is the column of that name. */
const columnIn = (name: string): string => /^filter\[([^[\]]+)\]$/.exec(name)?.[1] ?? name

/** Filters of lists, but for those that are asked in a way of their own. */
const othersOf = ({ extensions }: Access): readonly ListFilter[] =>
  filtersOf(extensions).filter(({ owns }) => owns === undefined)

const sentAs = ({ name, word }: Comparison): string =>
  word === 'equals' || word === 'in' ? columnIn(name) : `${columnIn(name)}[${word}]`

/** As a query string would say it: several values of one name, or a list in one text. */
function valuesOf({ path, isPlain }: Leaf, test: Comparison): readonly MatchValue[] {
  const { word, value: said } = test
  const column = sentAs(test)
  const values = Array.isArray(said) ? (said as readonly unknown[]) : [said]
  if (values.some((each) => Number.isInteger(each) && !Number.isSafeInteger(each))) {
    const place = isPlain ? path : `${path}.${word}`
    throw badParameter(place, 'must be a text: a number of so many digits may have lost some')
  }
  const texts = values.map(String)
  const value = (text: string): MatchValue => ({ column, negated: false, isFilter: true, text })
  if (column === columnIn(test.name) || texts.length < 2) return texts.map(value)
  if (texts.some((text) => text.includes(','))) {
    throw badParameter(`${path}.${word}`, 'must have no comma in a value of its list')
  }
  return [value(texts.join())]
}

/** An error names where in the tree that stands which could not be read. */
async function placed(
  { path, isPlain }: Leaf,
  name: string,
  make: () => readonly unknown[] | Promise<readonly unknown[]>,
): Promise<readonly unknown[]> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error
    const all = Object.entries(error.errors ?? {})
    const place = (parameter: string) => {
      const below = isPlain || !parameter.startsWith(name) ? '' : parameter.slice(name.length)
      return path + below.replaceAll(/\[([^[\]]*)\]/g, '.$1')
    }
    const moved = (text: string) =>
      all.reduce(
        (now, [each]) => now.replace(`The ${each} parameter`, () => `The ${place(each)} parameter`),
        text,
      )
    const errors = all.map(([each, texts]) => [place(each), texts.map(moved)] as const)
    throw badRequest(moved(error.message), Object.fromEntries(errors))
  }
}

/** 400, whatever the config says of strange parameters: without it, a tree says something else. */
function unknown(access: Access, leaf: Leaf): Error {
  const { wrong, above } = unknownPart(access, leaf)
  const [path, name] = [leaf.path, leaf.name].map((each) => [each, ...wrong].join('.'))
  // Below a relation are others than at the top; of a name that is known, words are.
  const known = above === '' ? topNames(access) : namesBelow(access, above)
  const words = above === '' ? ['any', 'all', 'not'] : []
  const all = [...known, ...words]
  const meant = nearest(
    columnIn(name ?? ''),
    all.filter((each) => each !== name),
  )
  const guess = meant === undefined ? '' : `: '${meant}' is`
  const there =
    all.length === 0 ? `${above} takes a value, or a list` : `There are ${all.join(', ')}`
  return badParameter(path ?? '', `is not known${guess}. ${there}`)
}

/** Finds the unknown part of a leaf's name, and the last name that is known. */
function unknownPart(access: Access, leaf: Leaf) {
  const all = [...topNames(access), ...wordNames(access)]
  const leads = (name: string) => namesBelow(access, name).length > 0 || all.includes(name)
  const isTaken = ({ name, word }: Comparison) =>
    all.includes(word === 'equals' || word === 'in' ? name : `${name}[${word}]`)
  const test = leaf.tests.find((each) => !isTaken(each) && !isTaken(member(each))) ?? leaf.tests[0]
  const top = columnIn(leaf.name)
  if (test === undefined || !leads(top)) return { wrong: [], above: '' }
  const below = columnIn(test.name).slice(top.length + 1)
  const steps = [...(below === '' ? [] : below.split('.')), ...(leaf.isPlain ? [] : [test.word])]
  const known = steps.findIndex((_, at) => !leads([top, ...steps.slice(0, at + 1)].join('.')))
  const wrong = known === -1 ? steps : steps.slice(0, known + 1)
  return { wrong, above: [top, ...wrong.slice(0, -1)].join('.') }
}

/** Names that this user may send at the top of an object. */
const topNames = (access: Access): readonly string[] => [
  ...Object.keys(access.entity.match?.types ?? {}).filter(
    (each) => wordsOf(access, each).length > 0,
  ),
  ...othersOf(access).flatMap((filter) =>
    filter
      .names(access)
      .filter((each) => !each.includes('[') && filter.takes(access, each, { isFilter: true })),
  ),
]

/** `seller.name[gte]` */
const wordNames = (access: Access): readonly string[] =>
  othersOf(access).flatMap((filter) => filter.names(access).filter((each) => each.includes('[')))

/** Lists the names that go on after a point; of a column, its words. */
function namesBelow(access: Access, name: string): readonly string[] {
  const below = topNames(access).filter((each) => each.startsWith(`${name}.`))
  if (below.length > 0) return below
  return wordNames(access).filter((each) => each.startsWith(`${name}[`))
}
