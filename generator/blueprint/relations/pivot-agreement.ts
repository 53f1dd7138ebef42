import { inRelated, type Context } from '../entity-draft.js'
import { isReservedTable, pivotName } from '../names/names.js'
import type { Column } from '../types.js'
import { sidesOf, type PivotLink } from './pivots.js'

/**
 * Checks that relations with the same pivot table agree, and that the table is used for nothing
 * else.
 */
export function checkPivots(found: readonly PivotLink[], context: Context): void {
  const first = new Map<string, PivotLink>()
  const declaring = new Map<string, PivotLink>()
  for (const each of found) {
    const before = first.get(each.table)
    if (before === undefined) {
      first.set(each.table, each)
      checkAlone(each, context)
    } else if (!checkSides(before, each, context)) continue
    const declared = declaring.get(each.table)
    if (declared !== undefined && each.fields !== null) checkFields(declared, each, context)
    else if (each.fields !== null) declaring.set(each.table, each)
  }
  checkTwice(found, context)
}

const titleOf = ({ link }: PivotLink) => `'${link.key}' of '${link.from.path}'`
const placeOf = ({ link }: PivotLink) => inRelated(link.from, link.key)

function checkAlone(each: PivotLink, { drafts, report }: Context): void {
  const { table, source: own, related, link } = each
  const at = placeOf(each)
  if (own.column === related.column) {
    report({
      rule: 'pivot-columns',
      at,
      message: `related '${link.key}' would have the column '${own.column}' twice in the table '${table}'`,
      fix: `${link.key}: belongsToMany('${link.to.path}', { relatedKey: 'other_${related.column}' })`,
    })
  }
  const name = pivotName(table)
  const entity = drafts.find(
    ({ names }) =>
      names.table === table ||
      [names.name, `${names.name}Model`].some(
        (taken) => taken.toLowerCase() === name.toLowerCase(),
      ),
  )
  if (entity === undefined && !isReservedTable(table)) return
  report({
    rule: 'pivot-table',
    at,
    message:
      entity === undefined
        ? `related '${link.key}' would have the table '${table}' between, which the server or a database keeps for itself`
        : `related '${link.key}' would have the table '${table}' as its pivot table, and the repository '${entity.path}' is called that`,
    fix: `table: '${table}_links'`,
  })
}

function checkSides(one: PivotLink, other: PivotLink, { report }: Context): boolean {
  const [a, b] = [sidesOf(one), sidesOf(other)]
  const entities = (sides: typeof a) => sides.map(({ entity }) => entity).toSorted()
  const columns = (sides: typeof a) =>
    sides.map(({ column, entity, morphType }) => `${column} ${entity} ${morphType}`)
  if (JSON.stringify(entities(a)) !== JSON.stringify(entities(b))) {
    report({
      rule: 'pivot-repositories',
      at: placeOf(other),
      message: `related ${titleOf(one)} and ${titleOf(other)} share the table '${one.table}', and do not relate the same repositories`,
      fix: `table: '${other.link.from.names.stem}_${other.link.to.names.stem}'`,
    })
    return false
  }
  if (JSON.stringify(columns(a)) === JSON.stringify(columns(b))) return true
  report({
    rule: 'pivot-columns',
    at: placeOf(other),
    message: `related ${titleOf(one)} and ${titleOf(other)} share the table '${one.table}', with the columns ${list(a)} on one side and ${list(b)} on the other`,
    fix: fixOf(one, other),
  })
  return false
}

const list = (sides: ReturnType<typeof sidesOf>) =>
  sides.map(({ column }) => `'${column}'`).join(' and ')

function fixOf({ source: own, related, link }: PivotLink, other: PivotLink): string {
  const isSame = link.from === other.link.from && link.to !== link.from
  if (own.entity === null)
    return `name: '${own.morphType?.replace(/_type$/, '')}', relatedKey: '${related.column}'`
  const [mine, theirs] = isSame ? [own, related] : [related, own]
  return `foreignKey: '${mine.column}', relatedKey: '${theirs.column}'`
}

function checkFields(one: PivotLink, other: PivotLink, { report }: Context): void {
  const names = [
    ...new Set([...(one.fields ?? []), ...(other.fields ?? [])].map(({ name }) => name)),
  ]
  const find = ({ fields }: PivotLink, name: string) => fields?.find((each) => each.name === name)
  const wrong = names.find((name) => text(find(one, name)) !== text(find(other, name)))
  if (wrong === undefined) return
  report({
    rule: 'pivot-fields',
    at: [...placeOf(other), 'pivot', ...(find(other, wrong) === undefined ? [] : [wrong])],
    message: `related ${titleOf(one)} and ${titleOf(other)} share the table '${one.table}', and declare its field '${wrong}' differently`,
    fix: 'declare it on one side, or the same on both',
  })
}

/** Equal whatever the order in which modifiers were chained. */
const text = (column: Column | undefined) =>
  JSON.stringify(Object.entries(column ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** Two relations of one repository that would read the same rows are one, or need a table each. */
function checkTwice(found: readonly PivotLink[], { report }: Context): void {
  const seen = new Map<string, PivotLink>()
  for (const each of found) {
    const rows = [each.link.from.path, each.table, each.source.column, each.related.column].join(
      ' ',
    )
    const before = seen.get(rows)
    if (before === undefined) seen.set(rows, each)
    if (before === undefined || before.link.name === each.link.name) continue
    report({
      rule: 'pivot-twice',
      at: placeOf(each),
      message: `related '${before.link.key}' and '${each.link.key}' would read the same rows of the table '${each.table}'`,
      fix: `${each.link.key}: ${each.link.kind}('${each.link.to.path}', { table: '${each.link.from.names.stem}_${each.link.key}' })`,
    })
  }
}
