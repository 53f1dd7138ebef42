import { kindOf, kinds } from '../kinds/kinds.js'
import { columnsOf, inRelated, isVisible, type Context, type EntityDraft } from './entity-draft.js'
import { isRecord, madeBy, show } from './fields/shapes.js'
import { foreignKey } from './names/names.js'
import { nearest, type Path } from './problems.js'
import type { Link } from './relations/link.js'
import type { Column, Match } from './types.js'

interface ColumnList {
  readonly at: Path
  /** The name of the list in messages: `searchable`, or `searchable of related 'owner'`. */
  readonly list: string
  /** The repository whose columns are meant. */
  readonly of: EntityDraft
  /** The belongsTo entries beside the list. */
  readonly links: readonly Link[]
  /** Keys that it may hold besides columns. */
  readonly others?: readonly string[]
}

interface Use {
  readonly rule: string
  /** After `'title' in sort …`. */
  readonly says: string
  readonly holds: (column: Column) => boolean
}

const SEARCH: Use = {
  rule: 'not-searchable',
  says: 'is not text, and search looks into text',
  holds: ({ kind }) => kindOf(kind).isText,
}
const SORT: Use = {
  rule: 'not-sortable',
  says: 'has no order that a list could have',
  holds: ({ kind }) => kindOf(kind).isSortable,
}
const TITLE: Use = { ...SORT, rule: 'not-a-title', says: 'does not read as a name' }

/** Keys that lists of a repository may hold besides columns: features check them. */
export interface Others {
  readonly sort: readonly string[]
  readonly match: readonly string[]
}

/** `title`, `searchable`, `sort` and `match` of a repository, and what its relations search and sort by. */
export function checkLists(
  draft: EntityDraft,
  links: readonly Link[],
  others: Others,
  context: Context,
): void {
  const { title, searchable, sort, match } = draft.definition
  const place = (list: string): ColumnList => ({ at: [draft.path, list], list, of: draft, links })
  if (title !== undefined) checkUse(title, [draft.path, 'title'], TITLE, place('title'), context)
  checkList(searchable ?? [], SEARCH, place('searchable'), context)
  checkList(sort ?? [], SORT, { ...place('sort'), others: others.sort }, context)
  for (const [name, type] of Object.entries(match ?? {})) {
    if (!others.match.includes(name)) checkMatch(name, type, place('match'), context)
  }
  for (const { key, to, options } of links) {
    const far = (list: string): ColumnList => ({
      at: inRelated(draft, key, list),
      list: `${list} of related '${key}'`,
      of: to,
      links: [],
    })
    checkList(options.searchable ?? [], SEARCH, far('searchable'), context)
    checkList(options.sortable ?? [], SORT, far('sortable'), context)
  }
}

function checkList(names: readonly string[], use: Use, place: ColumnList, context: Context): void {
  for (const [index, name] of names.entries()) {
    const at = [...place.at, index]
    if (names.indexOf(name) === index) {
      if (place.others?.includes(name) !== true) checkUse(name, at, use, place, context)
    } else {
      context.report({
        rule: 'listed-twice',
        at,
        message: `'${name}' appears twice in ${place.list}`,
        fix: 'leave one out',
      })
    }
  }
}

function checkUse(name: string, at: Path, use: Use, place: ColumnList, { report }: Context): void {
  const found = named(place.of, name)
  if (found === undefined)
    return isAwaited(name, place) ? undefined : report(unknown(name, at, place))
  if (!isVisible(found)) return report(hiddenColumn(name, at, place))
  if (use.holds(found)) return
  const fitting = visible(place.of).filter(use.holds)
  report({
    rule: use.rule,
    at,
    message: `'${name}' in ${place.list} is ${found.kind}(): it ${use.says}`,
    known: fitting.map((each) => each.name),
    fix: `leave '${name}' out`,
  })
}

/** A field or a belongsTo would make this column, and did not: what is wrong with it has been reported. */
export const isAwaited = (name: string, { of }: Pick<ColumnList, 'of'>) =>
  of.written.has(name) ||
  Object.entries<unknown>(of.definition.related ?? {}).some(([key, entry]) => {
    if (madeBy(entry) !== 'belongsTo' || !isRecord(entry)) return false
    const definition = isRecord(entry['definition']) ? entry['definition'] : {}
    const options = isRecord(definition['options']) ? definition['options'] : definition
    const made = options['foreignKey'] ?? foreignKey(String(options['relation'] ?? key))
    return made === name
  })

const named = (draft: EntityDraft, name: string) =>
  columnsOf(draft).find((each) => each.name === name)
const visible = (draft: EntityDraft) => columnsOf(draft).filter(isVisible)

function unknown(name: string, at: Path, place: ColumnList) {
  const { list, of } = place
  const known = visible(of).map((each) => each.name)
  const meant = nearest(name, known)
  return {
    rule: 'unknown-column',
    at,
    message: `'${name}' in ${list} is not a column of '${of.path}'`,
    known,
    fix:
      throughRelation(name, place) ??
      (meant === undefined ? `leave '${name}' out, or declare the field` : `'${meant}'`),
  }
}

/** `owner.name`: the belongsTo itself says what of its record is sorted by and searched. */
function throughRelation(name: string, { list, links }: ColumnList): string | undefined {
  const [key, column, ...rest] = name.split('.')
  const option = { sort: 'sortable', searchable: 'searchable' }[list]
  if (option === undefined || column === undefined || rest.length > 0) return undefined
  const link = links.find((each) => each.key === key)
  if (link === undefined) return undefined
  return `${key}: belongsTo('${link.to.path}', { ${option}: ['${column}'] }), and leave '${name}' out`
}

const hiddenColumn = (name: string, at: Path, { list, of }: ColumnList) => ({
  rule: 'hidden-column',
  at,
  message: `'${name}' in ${list} is hidden in '${of.path}', and a hidden field cannot be searched, sorted or matched`,
  known: visible(of).map((each) => each.name),
  fix: `leave '${name}' out`,
})

function checkMatch(name: string, type: unknown, place: ColumnList, { report }: Context): void {
  const at = [...place.at, name]
  const column = named(place.of, name)
  if (column === undefined)
    return isAwaited(name, place) ? undefined : report(unknown(name, at, place))
  if (!isVisible(column)) return report(hiddenColumn(name, at, place))
  const types = kindOf(column.kind).match
  if (types.some((each) => each === type)) return
  const [best] = types
  report({
    rule: 'match-type',
    at,
    message: isMatchType(String(type))
      ? `'${name}' in match is compared as ${show(type)}, and it is ${column.kind}()`
      : `'${name}' in match is ${column.kind}(), and there is no match type ${show(type)}`,
    known: types,
    fix: best === undefined ? `leave '${name}' out` : `${name}: '${best}'`,
  })
}

/** `match` in the blueprint's form, without what features read; what is wrong in it has been reported. */
export function matchesOf(
  { definition }: EntityDraft,
  others: readonly string[],
): readonly Match[] {
  return Object.entries(definition.match ?? {}).flatMap(([column, type]) =>
    isMatchType(type) && !others.includes(column) ? [{ column, type }] : [],
  )
}

const MATCH_TYPES = new Set<string>(kinds.flatMap(({ match }) => match))
export const isMatchType = (type: string): type is Match['type'] => MATCH_TYPES.has(type)
