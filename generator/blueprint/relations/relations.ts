import { findColumn, inRelated, type Context, type EntityDraft } from '../entity-draft.js'
import { idsName } from '../names/names.js'
import type { Relation } from '../types.js'
import type { ForeignKeys } from './foreign-keys.js'
import type { Link } from './link.js'
import { nameOfMorph } from './morphs.js'
import type { PivotLink } from './pivots.js'

/** Relations in declaration order, added to their drafts. Those that could not be decided were reported. */
export function addRelations(
  links: readonly Link[],
  keys: ForeignKeys,
  pivots: readonly PivotLink[],
): void {
  for (const link of links) {
    const relation = relationOf(link, keys, pivots)
    if (relation !== null) link.from.relations.push(relation)
  }
}

function relationOf(link: Link, keys: ForeignKeys, pivots: readonly PivotLink[]): Relation | null {
  const { key, name, kind, to, options, feature, routes } = link
  const ends = endsOf(link, keys, pivots)
  if (ends === null) return null
  return {
    key,
    name,
    kind,
    target: to.key,
    ...ends,
    filledBy: options.filledBy ?? null,
    searchable: options.searchable ?? [],
    sortable: options.sortable ?? [],
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(link.from.listed.has(key) ? { listed: true } : {}),
    ...(feature === undefined ? {} : { feature }),
    ...(routes === undefined ? {} : { routes }),
  }
}

function endsOf(
  link: Link,
  keys: ForeignKeys,
  pivots: readonly PivotLink[],
): Pick<Relation, 'foreignKey' | 'morphType' | 'pivot'> | null {
  const between = pivots.find((each) => each.link === link)
  if (between !== undefined) {
    const { source: own, related, table } = between
    return {
      foreignKey: own.column,
      morphType: own.morphType,
      pivot: { table, relatedKey: related.column },
    }
  }
  if (link.kind === 'morphOne' || link.kind === 'morphMany') {
    const name = nameOfMorph(link)
    return { foreignKey: `${name}_id`, morphType: `${name}_type`, pivot: null }
  }
  const foreignKey = keys.get(link) ?? null
  return foreignKey === null ? null : { foreignKey, morphType: null, pivot: null }
}

/** Names that would meet, and relations that no record could satisfy. */
export function checkRelations(links: readonly Link[], keys: ForeignKeys, context: Context): void {
  for (const link of links) {
    checkColumnNames(link, context)
    checkIdsName(link, links, context)
    checkFilledBy(link, context)
    checkFilling(link, links, keys, context)
  }
  checkSameName(links, keys, context)
  checkCycles(links, context)
}

/** A listed relation also has a list of ids, `<singular>_ids`. */
function checkIdsName({ from, key }: Link, links: readonly Link[], { report }: Context): void {
  if (!from.listed.has(key)) return
  const name = idsName(key)
  const others = links.filter((each) => each.from === from).map((each) => each.key)
  if (!findColumn(from, name) && !others.includes(name)) return
  report({
    rule: 'relation-named-as-column',
    at: inRelated(from, key),
    message: `'${key}' is listed as a field, whose list of ids is '${name}', and '${from.path}' has that already`,
    fix: `move '${key}' to 'related', or rename one of them`,
  })
}

/** A relation and a column are both members of a row's model: only `member()` may share a name. */
export function checkColumnNames(
  { from, key, name }: Pick<Link, 'from' | 'key' | 'name'>,
  { report }: Context,
): void {
  const met = [key, name].flatMap((each) => findColumn(from, each) ?? [])[0]
  if (met === undefined) return
  report({
    rule: 'relation-named-as-column',
    at: inRelated(from, key),
    message: `related '${key}' has the name of the column '${met.name}' of '${from.path}'`,
    fix:
      met.name === key
        ? `rename one of them, or say ${key}: member() to let clients ask for the column`
        : 'rename one of them',
  })
}

function checkFilledBy(link: Link, { auth, report }: Context): void {
  if (link.options.filledBy === undefined || link.to === auth) return
  const { from, key, to } = link
  report({
    rule: 'filled-by',
    at: inRelated(from, key, 'filledBy'),
    message:
      auth === null
        ? `related '${key}' is filled by the signed-in user, and there is no auth repository`
        : `related '${key}' is filled by the signed-in user, who is one of '${auth.path}', and it points at '${to.path}'`,
    fix:
      auth === null
        ? `a repository 'users' with the fields email: email() and password: password()`
        : `${key}: belongsTo('${auth.path}', { filledBy: 'user' })`,
  })
}

/** A required column that no body may write is filled by hooks, or by a route below its record. */
function checkFilling(
  link: Link,
  links: readonly Link[],
  keys: ForeignKeys,
  { report }: Context,
): void {
  const { from, to, key, nullable, isReadonly, options } = link
  const isFilled =
    nullable || options.filledBy !== undefined || (from.definition.hooks ?? false) !== false
  if (!isReadonly || isFilled) return
  const isBelow = links.some((each) => {
    const reads = each.kind === 'hasMany' || each.kind === 'hasOne'
    return reads && each.from === to && each.to === from && keys.get(each) === keys.get(link)
  })
  if (isBelow) return
  report({
    rule: 'unfillable',
    at: inRelated(from, key),
    message: `related '${key}' is required, and no request may write it: no record could be stored`,
    fix: `.nullable(); 'hooks: true' in the repository, to fill it in app/Hooks; or a hasMany() in '${to.path}'`,
  })
}

/** Entries that read the same model relationship must mean the same. */
function checkSameName(links: readonly Link[], keys: ForeignKeys, { report }: Context): void {
  const first = new Map<EntityDraft, Map<string, Link>>()
  for (const link of links) {
    const named = first.get(link.from) ?? new Map<string, Link>()
    const twin = named.get(link.name)
    first.set(link.from, named.set(link.name, twin ?? link))
    if (twin === undefined) continue
    const isSame =
      twin.kind === link.kind && twin.to === link.to && keys.get(twin) === keys.get(link)
    if (isSame) {
      checkSame(twin, link, report)
      continue
    }
    report({
      rule: 'relation-twice',
      at: inRelated(link.from, link.key),
      message: `related '${twin.key}' and '${link.key}' both read the relation '${link.name}', as ${facts(twin)} and as ${facts(link)}`,
      fix: `give one of them another 'relation'`,
    })
  }
}

/** A later entry may leave out what the first one says of the column, and say nothing else of it. */
function checkSame(first: Link, later: Link, report: Context['report']): void {
  const { filledBy, onDelete } = later.options
  const own = first.options
  const more = [
    ...(later.nullable && !first.nullable ? ['.nullable()'] : []),
    ...(later.isReadonly && !first.isReadonly ? ['.readonly()'] : []),
    ...(filledBy === undefined || filledBy === own.filledBy ? [] : [`filledBy: '${filledBy}'`]),
    ...(onDelete === undefined || onDelete === own.onDelete ? [] : [`onDelete: '${onDelete}'`]),
  ]
  if (more.length === 0) return
  report({
    rule: 'relation-twice',
    at: inRelated(later.from, later.key),
    message: `related '${first.key}' and '${later.key}' both read the relation '${later.name}', and only '${later.key}' says ${more.join(' and ')}`,
    fix: `say it at '${first.key}', which makes the column`,
  })
}

const facts = ({ kind, to }: Link) => `${kind}('${to.path}')`

/** Required belongsTo relations in a circle: no first record could be stored. */
function checkCycles(links: readonly Link[], { report }: Context): void {
  const required = withoutEnds(
    links.filter(({ kind, nullable }) => kind === 'belongsTo' && !nullable),
  )
  const order = new Map(required.map((link, index) => [link, index]))
  const needs = new Map<EntityDraft, readonly Link[]>()
  for (const link of required) needs.set(link.from, [...(needs.get(link.from) ?? []), link])
  for (const link of required) {
    const circle = circleOf(link, needs)
    const at = (each: Link) => order.get(each) ?? 0
    if (circle === null || circle.some((each) => at(each) < at(link))) continue
    const steps = circle.map(({ from, key }) => `'${key}' of '${from.path}'`)
    report({
      rule: 'required-circle',
      at: inRelated(link.from, link.key),
      message: `related ${steps.join(' needs ')} needs the first again, so no first record could be stored`,
      fix: `${link.key}: belongsTo(…).nullable()`,
    })
  }
}

/** Without the relations that lead to where nothing is needed: most manifests have no other. */
function withoutEnds(links: readonly Link[]): readonly Link[] {
  let left = links
  for (let before = -1; before !== left.length;) {
    before = left.length
    const from = new Set(left.map((link) => link.from))
    left = left.filter(({ to }) => from.has(to))
  }
  return left
}

/** The shortest way from a relation back to where it starts, or null. */
function circleOf(
  start: Link,
  needs: ReadonlyMap<EntityDraft, readonly Link[]>,
): readonly Link[] | null {
  const ways: (readonly Link[])[] = [[start]]
  const seen = new Set([start.to])
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const end = way.at(-1)?.to
    if (end === start.from) return way
    for (const next of (end && needs.get(end)) ?? []) {
      if (next.to === start.from) return [...way, next]
      if (!seen.has(next.to)) ways.push([...way, next])
      seen.add(next.to)
    }
  }
  return null
}
