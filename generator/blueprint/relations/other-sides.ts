import { inRelated, type Context } from '../entity-draft.js'
import { madeBy } from '../fields/shapes.js'
import { pivotTable } from '../names/names.js'
import type { Finding } from '../problems.js'
import type { ForeignKeys } from './foreign-keys.js'
import { linksFrom, type Link } from './link.js'

/**
 * Two sides that would never agree, because each keeps the relation in a place of its own:
 *
 *     hasOne, hasMany    a column made here, because nothing points back, and the other side speaks of
 *                        a pivot table, of type and id, or of a column on this side
 *     belongsToMany      a table of its own, and the other side shares one with others
 *
 * Two relations are told from one by naming the column or the table.
 */
export function checkOtherSides(
  links: readonly Link[],
  keys: ForeignKeys,
  { report }: Context,
): void {
  const entries = linksFrom(links)
  const isMade = (link: Link) =>
    isReader(link) &&
    link.options.foreignKey === undefined &&
    keys.get(link) !== null &&
    entries
      .get(link.to)
      ?.some((each) => each.kind === 'belongsTo' && keys.get(each) === keys.get(link)) !== true
  for (const [at, link] of links.entries()) {
    const others = entries.get(link.to)?.filter((each) => each.to === link.from) ?? []
    if (link.from === link.to) {
      if (isMade(link)) report(silentColumn(link))
      continue
    }
    const other = isMade(link)
      ? others.find((each) => isElsewhere(each) || (links.indexOf(each) < at && isMade(each)))
      : others.find((each) => isAlone(link, others) && each.kind === 'morphToMany')
    if (other !== undefined) report(contradiction(link, other))
    else if (isMade(link) && !isAwaited(link, links) && !others.some(isMade)) {
      report(silentColumn(link))
    }
  }
}

const isReader = ({ kind }: Link) => kind === 'hasOne' || kind === 'hasMany'
const isElsewhere = ({ kind }: Link) => kind.startsWith('morph') || kind === 'belongsToMany'

/** Many-to-many, and neither side says that there are two relations. */
const isAlone = ({ kind, options }: Link, others: readonly Link[]) =>
  kind === 'belongsToMany' &&
  options.table === undefined &&
  !others.some((each) => each.kind === 'belongsToMany')

function contradiction(link: Link, other: Link): Finding {
  const { from, to, key, kind } = link
  const isMany = kind === 'belongsToMany'
  const needs = isMany ? 'a table of its own' : `a column in '${to.path}'`
  const second = isMany
    ? `{ table: '${pivotTable(from.names.stem, to.names.stem)}' }`
    : `{ foreignKey: '${from.names.stem}_id' }`
  return {
    rule: 'other-side',
    at: inRelated(from, key),
    message: `related '${key}' is ${kind}(), which needs ${needs}, and '${other.key}' of '${to.path}' is ${other.kind}(), which needs ${placeOf(other)}`,
    fix: `${instead(link, other)}, or for a second relation ${kind}('${to.path}', ${second})`,
  }
}

/** A belongsTo over there points at nothing that is known, which has been reported: it may be this one. */
const isAwaited = ({ to }: Link, links: readonly Link[]) =>
  Object.entries<unknown>(to.definition.related ?? {}).some(
    ([key, entry]) =>
      madeBy(entry) === 'belongsTo' && !links.some((each) => each.from === to && each.key === key),
  )

/** A column of another repository that its manifest does not speak of. */
function silentColumn({ from, to, key, kind }: Link): Finding {
  const { stem } = from.names
  return {
    rule: 'silent-column',
    at: inRelated(from, key),
    message: `related '${key}' would add the column '${stem}_id' to '${to.path}', where nothing mentions it`,
    fix: `in '${to.path}': ${stem}: belongsTo('${from.path}').nullable(), or ${key}: ${kind}('${to.path}', { foreignKey: '${stem}_id' })`,
  }
}

function placeOf({ kind, to }: Link): string {
  if (kind === 'belongsToMany') return 'a pivot table'
  if (kind === 'morphToMany') return 'a table that others share'
  return kind.startsWith('morph') ? `a type and an id in '${to.path}'` : `one in '${to.path}'`
}

/** Nothing reads a morph from its other side. */
function instead({ key, to }: Link, other: Link): string {
  if (other.kind.startsWith('morph')) return `leave '${key}' out`
  return `${key}: ${other.kind === 'belongsToMany' ? 'belongsToMany' : 'belongsTo'}('${to.path}')`
}
