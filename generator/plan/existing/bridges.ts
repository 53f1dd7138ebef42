import { isIdentifier, isPivotTable, snakeCase } from '../../blueprint/names.js'
import type { Catalog, FoundTable } from './catalog.js'
import { freeName, withCost, type RepositoryDraft, type LeftAlone } from './draft.js'
import { nameProblem } from './field-names.js'
import { fieldOf, type Kind } from './field-text.js'

/** Two columns that are the key of a table and each point elsewhere: a row says that two records belong together. */
export const isBridge = ({ primaryKey, foreign, isWithoutRowid }: FoundTable) =>
  primaryKey.length === 2 &&
  isWithoutRowid !== true &&
  primaryKey.every((name) => foreign.some((each) => each.columns.join() === name))

/** False: it is left alone, and why was noted. */
export function addBridge(
  bridge: FoundTable,
  drafts: ReadonlyMap<string, RepositoryDraft>,
  { database }: Catalog,
  left: LeftAlone[],
): boolean {
  const ends = bridge.primaryKey.map((name) => {
    const foreign = bridge.foreign.find((each) => each.columns.join() === name)
    return { name, draft: drafts.get(foreign?.table ?? '') }
  })
  const [one, other] = ends
  const why =
    one?.draft === undefined || other?.draft === undefined
      ? 'its primary key is several columns, and one points at a table that is not served'
      : one.draft === other.draft
        ? 'it joins a table to itself'
        : !isPivotTable(bridge.name)
          ? 'its name cannot be written'
          : bridge.primaryKey.every(isIdentifier)
            ? null
            : 'the names of its keys cannot be fields'
  if (why !== null || one?.draft === undefined || other?.draft === undefined) {
    left.push({ what: bridge.name, why: why ?? '' })
    return false
  }
  const rest = bridge.columns.filter(({ name }) => !bridge.primaryKey.includes(name))
  const fields: string[] = []
  const kinds: Kind[] = []
  for (const column of rest) {
    const named = nameProblem(column.name)
    const found = named === null ? fieldOf(column, database) : { reason: named }
    const why =
      'reason' in found
        ? found.reason
        : column.enumType !== undefined
          ? 'it is an enum type'
          : isFilled(found.field)
            ? 'the database fills it'
            : null
    if (why !== null || 'reason' in found) {
      left.push({ what: `${bridge.name}.${column.name}`, why: withCost(column, why ?? '') })
      continue
    }
    fields.push(`${column.name}: ${found.field}`)
    kinds.push(found.kind)
  }
  const pivot = fields.length === 0 ? '' : `, pivot: { ${fields.join(', ')} }`
  for (const [own, far] of [
    [one, other],
    [other, one],
  ] as const) {
    const { draft } = own
    const target = far.draft
    if (draft === undefined || target === undefined) continue
    const stem = snakeCase(target.key)
    const name = freeName(draft, [
      stem,
      `${stem}_by_${snakeCase(bridge.name.replaceAll(/ +/g, '_'))}`,
    ])
    const isFirst = own === one
    const text = `belongsToMany('${target.key}', { table: '${bridge.name}', foreignKey: '${own.name}', relatedKey: '${far.name}'${isFirst ? pivot : ''} })`
    draft.related.push({ name, text })
    draft.imports.add('belongsToMany')
    if (isFirst) for (const kind of kinds) draft.imports.add(kind)
  }
  return true
}

const isFilled = (field: string) => field.includes('.generated()')
