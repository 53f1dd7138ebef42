import { LONGEST_INDEXED } from '../kinds/index-length.js'
import { storedAs } from '../kinds/kinds.js'
import { columnsOf, type Context, type EntityDraft } from './entity-draft.js'
import { isIndexable } from './fields/bounds.js'
import { show, type Shape } from './fields/shapes.js'
import { isAwaited } from './lists.js'
import { nearest, type Finding, type Path } from './problems.js'
import type { Column } from './types.js'

/** Columns that one index spans. PostgreSQL takes 32 of them. */
type Group = readonly string[]

const MOST_COLUMNS = 32

export const groupsOfNames: Shape = {
  says: 'a list of lists of names',
  example: "[['…', '…']]",
  holds: (value) =>
    Array.isArray(value) &&
    value.every(
      (group) =>
        Array.isArray(group) &&
        group.length > 0 &&
        group.every((name) => typeof name === 'string' && name !== ''),
    ),
}

/** `unique` and `indexes` of a repository: its own columns, that an index can hold, each list once. */
export function checkGroups(draft: EntityDraft, { report }: Context): void {
  for (const list of ['unique', 'indexes'] as const) {
    const groups: readonly Group[] = draft.definition[list] ?? []
    for (const [at, group] of groups.entries()) {
      const place = { draft, list, at: [draft.path, list, at] }
      const findings = [
        ...unknownIn(group, place),
        ...namesTwice(group, place),
        ...unfitIn(group, place),
      ]
      const whole = findings.length > 0 ? null : wholeGroup(group, groups.slice(0, at), place)
      for (const each of whole === null ? findings : [whole]) report(each)
    }
  }
}

interface GroupPlace {
  readonly draft: EntityDraft
  readonly list: 'unique' | 'indexes'
  readonly at: Path
}

/**
 * The column that the server keeps beside a folded field is filled when it can be: it would let
 * rows be equal until then.
 */
function columnsFor(draft: EntityDraft): readonly Column[] {
  const all = columnsOf(draft)
  return all.filter(({ name }) => !all.some(({ folded }) => folded === name))
}

const columnOf = (draft: EntityDraft, name: string) =>
  columnsFor(draft).find((each) => each.name === name)

const columnsIn = (draft: EntityDraft, group: Group) =>
  group.flatMap((name) => columnOf(draft, name) ?? [])

function unknownIn(group: Group, { draft, list, at }: GroupPlace): readonly Finding[] {
  return group.flatMap((name, index) => {
    if (columnOf(draft, name) !== undefined || isAwaited(name, { of: draft })) return []
    const known = columnsFor(draft).map((each) => each.name)
    const folded = draft.fields.find((each) => each.folded === name)?.name
    const meant = folded ?? nearest(name, known)
    return {
      rule: 'unknown-column',
      at: [...at, index],
      message:
        folded === undefined
          ? `'${name}' in ${list} is not a column of '${draft.path}'`
          : `'${name}' in ${list} is kept by the server for the search of '${folded}', and may be empty`,
      known,
      fix: meant === undefined ? `leave '${name}' out, or declare the field` : `'${meant}'`,
    }
  })
}

function namesTwice(group: Group, { list, at }: GroupPlace): readonly Finding[] {
  return group.flatMap((name, index) =>
    group.indexOf(name) === index
      ? []
      : {
          rule: 'listed-twice',
          at: [...at, index],
          message: `'${name}' appears twice in ${list}: ${show(group)}`,
          fix: 'leave one out',
        },
  )
}

/** Values that have no equality the databases agree on, or that no index holds. */
function unfitIn(group: Group, { draft, list, at }: GroupPlace): readonly Finding[] {
  return group.flatMap((name, index) => {
    const column = columnOf(draft, name)
    if (column === undefined) return []
    const { isJson, isSecret } = storedAs(column)
    const isCompared = !isJson && !isSecret
    if (isCompared && (isIndexable(column) || isKey(column))) return []
    return {
      rule: 'not-indexable',
      at: [...at, index],
      message: isCompared
        ? `'${name}' in ${list} may be longer than ${LONGEST_INDEXED} characters, which no database can index`
        : `'${name}' in ${list} is ${column.kind}(), whose values are not compared`,
      fix: isCompared ? `${name}: ….max(255)` : `leave '${name}' out`,
    }
  })
}

/** Ids and what points at them are short, whatever holds them. */
const isKey = ({ role }: Column) => role !== 'field'

function wholeGroup(group: Group, before: readonly Group[], place: GroupPlace): Finding | null {
  const { draft, list, at } = place
  const says = (rule: string, message: string, fix: string): Finding => ({ rule, at, message, fix })
  if (group.length > MOST_COLUMNS) {
    return says(
      'group-size',
      `${list} of '${draft.path}' names ${group.length} columns, and a database indexes ${MOST_COLUMNS} at most`,
      'leave some out',
    )
  }
  const [only] = group
  if (list === 'unique' && group.length === 1 && only !== undefined) {
    return says(
      'group-size',
      `'${only}' is the only column of its group in unique, which is for several columns together`,
      `at its declaration: ${only}: ….unique()`,
    )
  }
  const twin = before.find((each) => isSame(each, group, list))
  if (twin !== undefined) {
    return says('listed-twice', `${show(group)} appears twice in ${list}`, 'leave one out')
  }
  return wholeWidth(group, place) ?? aloneUnique(group, place) ?? clientName(group, place)
}

/** Prisma's client finds a record by `company_id_sku`, and its schema wants no column of that name beside. */
function clientName(group: Group, { draft, list, at }: GroupPlace): Finding | null {
  const met = columnOf(draft, group.join('_'))
  if (list === 'indexes' || met === undefined) return null
  return {
    rule: 'group-name',
    at,
    message: `${show(group)} in unique is '${met.name}' to Prisma's client, and that is a column of '${draft.path}'`,
    fix: show(group.toReversed()),
  }
}

/** Two rows that agree in `a` and `b` agree in `b` and `a`; an index is read in its order. */
function isSame(one: Group, other: Group, list: GroupPlace['list']): boolean {
  const inOrder = (names: Group) => (list === 'unique' ? names.toSorted() : names).join()
  return inOrder(one) === inOrder(other)
}

function isFreeText(column: Column): boolean {
  const { isText, isSecret } = storedAs(column)
  return isText && !isSecret
}

function wholeWidth(group: Group, { draft, list, at }: GroupPlace): Finding | null {
  const texts = columnsIn(draft, group).filter((column) => isFreeText(column) && !isKey(column))
  const width = texts.reduce((sum, column) => sum + widthOf(column), 0)
  if (width <= LONGEST_INDEXED) return null
  return {
    rule: 'not-indexable',
    at,
    message: `${show(group)} in ${list} may be ${width} characters long together, and an index holds ${LONGEST_INDEXED}`,
    fix: texts
      .map(({ name }) => `${name}: ….max(${Math.floor(LONGEST_INDEXED / texts.length)})`)
      .join(', '),
  }
}

const widthOf = ({ max = 255, options }: Column) =>
  options === undefined ? max : Math.max(...options.map(({ length }) => length))

/** A column that is unique alone is unique in any group. */
function aloneUnique(group: Group, { draft, list, at }: GroupPlace): Finding | null {
  const alone = columnsIn(draft, group).find(({ unique, role }) => unique || role === 'id')
  if (alone === undefined) return null
  if (list === 'indexes' && group.length > 1) return null
  return {
    rule: 'group-unique',
    at,
    message: `${show(group)} in ${list} says nothing: '${alone.name}' of '${draft.path}' is unique by itself`,
    fix: 'leave the list out',
  }
}

/** Reads the groups for the blueprint: an index on one column is the column's own. */
export function groupsOf({ definition }: EntityDraft): {
  readonly unique?: readonly Group[]
  readonly indexes?: readonly Group[]
} {
  const { unique = [], indexes = [] } = definition
  const several = indexes.filter((group) => group.length > 1)
  return {
    ...(unique.length === 0 ? {} : { unique }),
    ...(several.length === 0 ? {} : { indexes: several }),
  }
}

/** Columns that stand alone in `indexes`. */
export const indexedAlone = ({ definition }: EntityDraft): readonly string[] =>
  (definition.indexes ?? []).flatMap((group) => (group.length === 1 ? group : []))
