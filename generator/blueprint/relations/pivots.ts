import { storedAs } from '../../kinds/kinds.js'
import { inRelated, type Context } from '../entity-draft.js'
import { fieldColumns } from '../fields/fields.js'
import { morphTable, pivotName, pivotTable, singularOf } from '../names/names.js'
import type { Column, Pivot, PivotSide } from '../types.js'
import type { Link } from './link.js'
import { commonKind, nameOfMorph } from './morphs.js'

/** A many-to-many relation with its table and columns decided. */
export interface PivotLink {
  readonly link: Link
  readonly table: string
  readonly source: PivotSide
  readonly related: PivotSide
  /** Null: the other side says. */
  readonly fields: readonly Column[] | null
}

const isManyToMany = ({ kind }: Link) => kind === 'belongsToMany' || kind === 'morphToMany'

/** Table, columns and fields of every many-to-many relation. */
export function findPivots(links: readonly Link[], context: Context): readonly PivotLink[] {
  return links.filter(isManyToMany).map((link) => {
    const pivot = link.kind === 'morphToMany' ? morphPivot(link, links) : plainPivot(link, links)
    return { link, ...pivot, fields: pivotFields(link, pivot, context) }
  })
}

function morphPivot(link: Link, links: readonly Link[]) {
  const name = nameOfMorph(link)
  const table = link.options.table ?? morphTable(name)
  const owners = links.filter((each) => each.kind === 'morphToMany' && nameOfMorph(each) === name)
  const source: PivotSide = {
    column: `${name}_id`,
    kind: commonKind(owners.map(({ from }) => from)),
    entity: null,
    morphType: `${name}_type`,
  }
  return {
    table,
    source,
    related: sideOf(link.options.relatedKey ?? `${link.to.names.stem}_id`, link.to),
  }
}

function plainPivot(link: Link, links: readonly Link[]) {
  const { from, to, options } = link
  const other = mirrorOf(link, links)?.options ?? {}
  const isSelf = from === to
  const stem = isSelf ? singularOf(link.name) : to.names.stem
  return {
    table: options.table ?? other.table ?? pivotTable(from.names.stem, stem),
    source: sideOf(options.foreignKey ?? other.relatedKey ?? `${from.names.stem}_id`, from),
    related: sideOf(options.relatedKey ?? other.foreignKey ?? `${stem}_id`, to),
  }
}

const sideOf = (name: string, { id, key }: Link['to']): PivotSide => ({
  column: name,
  kind: id,
  entity: key,
  morphType: null,
})

/** The relation of the other side, where there is but one each way: what it says counts for both. */
function mirrorOf({ from, to }: Link, links: readonly Link[]): Link | undefined {
  if (from === to) return undefined
  const between = (one: Link['from'], two: Link['from']) =>
    distinct(
      links.filter((each) => each.kind === 'belongsToMany' && each.from === one && each.to === two),
    )
  const back = between(to, from)
  return back.length === 1 && between(from, to).length === 1 ? back[0] : undefined
}

/** Entries that read the same model relationship are one. */
const distinct = (links: readonly Link[]) =>
  links.filter((link, index) => links.findIndex(({ name }) => name === link.name) === index)

function pivotFields(
  link: Link,
  { source, related }: { readonly source: PivotSide; readonly related: PivotSide },
  { report }: Context,
): readonly Column[] | null {
  const { pivot } = link.options
  if (pivot === undefined) return null
  const at = inRelated(link.from, link.key, 'pivot')
  const keys = [source.column, source.morphType, related.column]
  return fieldColumns(pivot, { at, what: 'pivot field', report }).filter((field) => {
    const wrong = unfit(field, keys, link.key)
    if (wrong !== null) report({ rule: 'pivot-field', at: [...at, field.name], ...wrong })
    return wrong === null
  })
}

function unfit(
  field: Column,
  keys: readonly (string | null)[],
  relation: string,
): { message: string; fix: string } | null {
  const { name, kind, unique, nullable, folded, stored } = field
  if (keys.includes(name)) {
    return {
      message: `pivot field '${name}' is declared, and the pivot table has a key of that name already`,
      fix: `leave '${name}' out`,
    }
  }
  if (name === relation) {
    return {
      message: `pivot field '${name}' is called like its relation, under which requests name the ids`,
      fix: `leave '${name}' out`,
    }
  }
  if (storedAs({ kind }).isSecret) {
    return {
      message: `pivot field '${name}' is a password, and passwords belong to a record`,
      fix: `${name}: text()`,
    }
  }
  if (folded !== undefined) {
    return {
      message: `pivot field '${name}' is folded, and search does not look into pivot tables`,
      fix: 'leave .folded() out',
    }
  }
  if (stored !== undefined) {
    return {
      message: `pivot field '${name}' has the column '${stored}', and a pivot table calls its columns as its fields`,
      fix: 'leave .column() out',
    }
  }
  if (unique) {
    return {
      message: `pivot field '${name}' is unique, and a pivot table is only unique in its two keys`,
      fix: 'leave .unique() out',
    }
  }
  if (nullable || field.default !== undefined) return null
  return {
    message: `pivot field '${name}' is required, and sync adds rows with nothing but ids`,
    fix: '.default(…) or .nullable()',
  }
}

/** Each pivot table once, sorted; both sides have been compared. */
export function pivotsOf(found: readonly PivotLink[]): readonly Pivot[] {
  const tables = [...new Set(found.map(({ table }) => table))].toSorted()
  return tables.flatMap((table) => {
    const links = found.filter((each) => each.table === table)
    const first = links[0]
    if (first === undefined) return []
    const fields = links.find((each) => each.fields !== null)?.fields ?? []
    return [{ table, name: pivotName(table), sides: sidesOf(first), fields }]
  })
}

export function sidesOf({ source, related }: PivotLink): readonly [PivotSide, PivotSide] {
  if (source.entity === null) return [source, related]
  return source.column < related.column ? [source, related] : [related, source]
}
