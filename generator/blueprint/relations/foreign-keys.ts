import { column, findColumn, inRelated, type Context, type EntityDraft } from '../entity-draft.js'
import { foreignKey } from '../names/names.js'
import { nearest } from '../problems.js'
import type { Column, OnDelete } from '../types.js'
import type { Link } from './link.js'

/**
 * The column behind a relation, or null where it cannot be decided, which is reported.
 *
 *     belongsTo                       its own `<name>_id`, or `foreignKey`
 *     hasOne, hasMany                 of the other side, where it is
 *       one belongsTo points back     that one's column
 *       several point back            the one that `inverse` or `foreignKey` names
 *       one of a feature points back  that one's where `inverse` or `foreignKey` names it
 *       none points back              a nullable `<this>_id`, or `foreignKey`, made for it
 */
export type ForeignKeys = ReadonlyMap<Link, string | null>

export function findForeignKeys(links: readonly Link[], context: Context): ForeignKeys {
  const owned = new Map<Link, string | null>()
  for (const link of links.filter(isOwner)) {
    const twin = [...owned.keys()].find((each) => isSameRelation(each, link))
    owned.set(link, twin === undefined ? ownColumn(link, context) : (owned.get(twin) ?? null))
  }
  const found = new Map(owned)
  for (const link of links.filter(isReader)) found.set(link, columnBehind(link, owned, context))
  markUnique(links, found)
  return found
}

/** Two entries that read one model relationship share its column; what the first says counts. */
const isSameRelation = (one: Link, other: Link) =>
  one.from === other.from &&
  one.name === other.name &&
  one.to === other.to &&
  (other.options.foreignKey ?? one.options.foreignKey) === one.options.foreignKey

const isOwner = ({ kind }: Link) => kind === 'belongsTo'
const isReader = ({ kind }: Link) => kind === 'hasOne' || kind === 'hasMany'

function ownColumn(link: Link, context: Context): string | null {
  const name = columnName(link)
  const { nullable, isReadonly, options } = link
  const onDelete = options.onDelete ?? (nullable ? 'setNull' : 'restrict')
  if (onDelete === 'setNull' && !nullable) reportOnDelete(link, context)
  const made = foreignColumn(name, link.to, {
    nullable,
    onDelete,
    readonly: isReadonly || options.filledBy === 'user',
  })
  const { renamedFrom, column: stored = name } = options
  const column = {
    ...made,
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
    ...(stored === name ? {} : { stored }),
  }
  return addColumn(link.from, column, link, context)
}

function reportOnDelete({ from, key }: Link, { report }: Context): void {
  report({
    rule: 'on-delete',
    at: inRelated(from, key, 'onDelete'),
    message: `related '${key}' is required, and onDelete: 'setNull' would empty it`,
    fix: `${key}: belongsTo(…).nullable(), or onDelete: 'cascade'`,
  })
}

function foreignColumn(
  name: string,
  to: EntityDraft,
  { nullable, onDelete, readonly }: { nullable: boolean; onDelete: OnDelete; readonly: boolean },
): Column {
  return column({
    name,
    role: 'foreign',
    kind: to.id,
    nullable,
    indexed: true,
    readonly,
    references: { entity: to.key, onDelete },
  })
}

/** Adds the column, unless another entry made the very same one. */
function addColumn(
  draft: EntityDraft,
  column: Column,
  link: Link,
  { report }: Context,
): string | null {
  const found = findColumn(draft, column.name)
  if (found === undefined) {
    draft.foreign.push(column)
    return column.name
  }
  if (isSameKey(found, column)) return found.name
  reportTwice(draft, column.name, found, link, report)
  return null
}

/** A relation whose target is not known. */
type Untargeted = Pick<Link, 'from' | 'key' | 'name'> & {
  readonly options: Pick<Link['options'], 'foreignKey'>
}

/** The column of a belongsTo meets a field whatever the relation points at. */
export function checkField(link: Untargeted, { report }: Context): void {
  const name = columnName(link)
  const found = findColumn(link.from, name)
  if (found?.role === 'field') reportTwice(link.from, name, found, link, report)
}

/** Returns the column of a belongsTo. */
export const columnName = ({ name, options }: Untargeted) => options.foreignKey ?? foreignKey(name)

function reportTwice(
  draft: EntityDraft,
  name: string,
  found: Column,
  link: Pick<Link, 'from' | 'key'>,
  report: Context['report'],
): void {
  const owner = draft === link.from ? '' : ` of '${draft.path}'`
  const what = found.role === 'field' ? `field '${found.name}'` : `column '${found.name}'`
  report({
    rule: 'column-twice',
    at: inRelated(link.from, link.key),
    message: `related '${link.key}' makes the column '${name}'${owner}, and there is a ${what} already${pointing(found)}`,
    fix:
      found.role === 'field'
        ? `remove the field '${found.name}': the relation makes the column`
        : `name the column: { foreignKey: 'other_${name}' }`,
  })
}

const pointing = ({ references }: Column) =>
  references === undefined ? '' : `, which points at '${references.entity}'`

const isSameKey = (one: Column, other: Column) =>
  one.name === other.name &&
  one.stored === other.stored &&
  JSON.stringify(one.references) === JSON.stringify(other.references) &&
  one.nullable === other.nullable

function columnBehind(link: Link, owned: ForeignKeys, context: Context): string | null {
  const back = [...owned].filter(([each]) => each.from === link.to && each.to === link.from)
  const { inverse, foreignKey: named } = link.options
  if (inverse !== undefined) return columnOfInverse(link, inverse, back, context)
  if (named !== undefined && back.some(([, name]) => name === named)) return named
  const meant = back.filter(([each]) => each.feature === undefined)
  const columns = [...new Set(meant.map(([, name]) => name))]
  if (named !== undefined || columns.length === 0) return madeColumn(link, context)
  if (columns.length === 1) return columns[0] ?? null
  context.report({
    rule: 'several-inverses',
    at: inRelated(link.from, link.key),
    message: `related '${link.key}' could be read through ${quoted(meant)} of '${link.to.path}', and does not say which`,
    known: back.map(([{ key }]) => key),
    fix: `${link.key}: ${link.kind}('${link.to.path}', { inverse: '${meant[0]?.[0].key}' })`,
  })
  return null
}

const quoted = (back: readonly (readonly [Link, unknown])[]) =>
  back.map(([{ key }]) => `'${key}'`).join(' and ')

function columnOfInverse(
  link: Link,
  inverse: string,
  back: readonly (readonly [Link, string | null])[],
  { report }: Context,
): string | null {
  const found = back.find(([{ key, name }]) => key === inverse || name === inverse)
  const { foreignKey: named } = link.options
  const isAgreed = named === undefined || named === found?.[1]
  if (found !== undefined && isAgreed) return found[1]
  const known = back.map(([{ key }]) => key)
  const meant = nearest(inverse, known)
  report({
    rule: 'unknown-inverse',
    at: inRelated(link.from, link.key, 'inverse'),
    message: isAgreed
      ? `related '${link.key}' says its inverse is '${inverse}', and no belongsTo of '${link.to.path}' called that points back`
      : `related '${link.key}' says its inverse is '${inverse}' and its foreignKey '${named}', and the column of '${inverse}' is '${found?.[1]}'`,
    known,
    fix: isAgreed
      ? meant !== undefined
        ? `inverse: '${meant}'`
        : `in '${link.to.path}': ${inverse}: belongsTo('${link.from.path}')`
      : 'leave foreignKey out',
  })
  return null
}

/** Nothing points back: the target gets a column that may be empty. */
function madeColumn(link: Link, context: Context): string | null {
  const name = link.options.foreignKey ?? `${link.from.names.stem}_id`
  const made = foreignColumn(name, link.from, {
    nullable: true,
    onDelete: 'setNull',
    readonly: false,
  })
  return addColumn(link.to, made, link, context)
}

/** A column that only hasOne entries read holds each id once. */
function markUnique(links: readonly Link[], found: ForeignKeys): void {
  const readers = links.filter(isReader)
  for (const { kind, to } of readers) {
    for (const [index, { name }] of to.foreign.entries()) {
      const reading = readers.filter((each) => each.to === to && found.get(each) === name)
      const isOne = reading.length > 0 && reading.every((each) => each.kind === 'hasOne')
      const before = to.foreign[index]
      if (kind === 'hasOne' && isOne && before !== undefined) {
        to.foreign[index] = { ...before, unique: true, indexed: false }
      }
    }
  }
}
