import { singularOf, snakeCase } from '../../blueprint/names/names.js'
import { literal } from '../../source/literal.js'
import type { FoundColumn, FoundForeignKey } from './catalog.js'
import { freeName, type RepositoryDraft } from './draft.js'
import { columnProblem } from './field-names.js'

export interface Link {
  readonly from: RepositoryDraft
  readonly to: RepositoryDraft
  readonly foreign: FoundForeignKey
  readonly column: FoundColumn
}

/** Foreign keys of one column that point at the key of a table that is served. */
export function linksOf(
  from: RepositoryDraft,
  drafts: ReadonlyMap<string, RepositoryDraft>,
): readonly Link[] {
  return from.table.foreign.flatMap((foreign) => {
    const to = drafts.get(foreign.table)
    const [name = ''] = foreign.columns
    const column = from.table.columns.find((each) => each.name === name)
    const target = foreign.to[0] ?? to?.table.primaryKey[0]
    const isPlain =
      foreign.columns.length === 1 &&
      target === to?.table.primaryKey[0] &&
      columnProblem(name) === null
    const isOwnKey = from.table.primaryKey.includes(name)
    return to === undefined || column === undefined || !isPlain || isOwnKey
      ? []
      : [{ from, to, foreign, column }]
  })
}

/** Required relations in a circle have no first record: the last one of each is left a number. */
export function withoutCircles(links: readonly Link[]): readonly Link[] {
  const kept: Link[] = []
  const leads = (
    from: RepositoryDraft,
    to: RepositoryDraft,
    seen = new Set<RepositoryDraft>(),
  ): boolean => {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    return kept.some(
      (each) => !each.column.nullable && each.from === from && leads(each.to, to, seen),
    )
  }
  for (const link of links) {
    if (link.column.nullable || !leads(link.to, link.from)) kept.push(link)
  }
  return kept
}

export function addLink({ from, to, foreign, column }: Link): void {
  const field = from.names.get(column.name) ?? column.name
  const stem = stemOf(field, to)
  const name = freeName(from, [stem, `${stem}_${singularOf(to.key)}`])
  const usual = column.nullable ? 'setNull' : 'restrict'
  const { onDelete } = foreign
  const options = [
    `foreignKey: '${field}'`,
    ...(field === column.name ? [] : [`column: ${literal(column.name)}`]),
    ...(onDelete === 'other' || onDelete === usual ? [] : [`onDelete: '${onDelete}'`]),
  ]
  const text = `belongsTo('${to.key}', { ${options.join(', ')} })${column.nullable ? '.nullable()' : ''}`
  from.related.push({ name, text })
  from.imports.add('belongsTo')
  const isOne = from.table.unique.some((each) => each.join() === column.name)
  const back = isOne ? snakeCase(singularOf(from.key)) : snakeCase(from.key)
  const many = freeName(to, [back, `${back}_by_${stem}`])
  const kind = isOne ? 'hasOne' : 'hasMany'
  to.related.push({ name: many, text: `${kind}('${from.key}', { foreignKey: '${field}' })` })
  to.imports.add(kind)
}

/** `ArtistId`, `artist_id` → `artist`; `ReportsTo` stays what it is. */
function stemOf(column: string, to: RepositoryDraft): string {
  const stem = snakeCase(column.replace(/_?id$/i, ''))
  return stem === '' ? snakeCase(singularOf(to.key)) : stem
}
