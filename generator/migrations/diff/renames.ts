import {
  entityNames,
  pivotTable,
  storedName,
  type EntityNames,
} from '../../blueprint/names/names.js'
import type { Blueprint, Column, Entity, Pivot, Problem } from '../../blueprint/types.js'
import {
  readColumns,
  readModels,
  readNames,
  renameIn,
  type Names,
  type Renamed,
} from '../schema/datamodel.js'
import { fieldName } from '../schema/names.js'

/** A name that `renamedFrom` speaks of, by what it was called; whether the database still does is for `takeRenames` to see. */
export interface Wish extends Renamed {
  /** Repositories: the URI keys, which morph columns hold as values. */
  readonly key?: { readonly from: string; readonly to: string }
}

export interface Renames {
  /** In the order in which they can be made. */
  readonly made: readonly Wish[]
  /** The datamodel once they are. */
  readonly datamodel: string
}

/**
 * Every name that the manifest says it changed, and those that follow from it: pivot tables and foreign keys. What a
 * repository was called beside its key (`name`) is in the datamodel from before.
 */
export function wishesOf(blueprint: Blueprint, base: string | null): readonly Wish[] {
  const { entities, pivots } = blueprint
  const stems = stemsOf(entities, readModels(base ?? ''))
  const before = readColumns(base ?? '')
  return [
    ...entities.flatMap(tableWish),
    ...(stems.size === 0 ? [] : pivots.flatMap((pivot) => pivotWishes(pivot, stems))),
    ...entities.flatMap((entity) =>
      columnWishes(entity.table, entity.columns, stems, columnsBefore(entity, before)),
    ),
    ...pivots.flatMap(({ table, fields }) => columnWishes(table, fields, stems, before.get(table))),
  ]
}

type ColumnsOfFields = ReadonlyMap<string, string>

const columnsBefore = (
  entity: Entity,
  before: ReadonlyMap<string, ColumnsOfFields>,
): ColumnsOfFields | undefined =>
  [entity.table, ...tableWish(entity).map(({ from }) => from)].flatMap(
    (table) => before.get(table) ?? [],
  )[0]

/** Fields of one schema whose columns another calls otherwise: of a draft that a database took, which is not saved. */
export function movedColumns(from: string, to: string): readonly Wish[] {
  const before = readColumns(from)
  return [...readColumns(to)].flatMap(([table, fields]) => {
    const said = new Set(fields.values())
    return [...fields].flatMap(([field, column]): readonly Wish[] => {
      const was = before.get(table)?.get(field) ?? column
      return said.has(was) ? [] : [{ table, from: table, column: { from: was, to: column } }]
    })
  })
}

/** Fields that would show what another field held, without a word of the database's: it still has both columns. */
export function exchanged(blueprint: Blueprint, base: string | null): readonly Problem[] {
  const before = readColumns(base ?? '')
  return blueprint.entities.flatMap((entity) => {
    const known = columnsBefore(entity, before) ?? new Map<string, string>()
    return entity.columns.flatMap((column): readonly Problem[] => {
      const was = known.get(fieldName(column.name))
      const other = entity.columns.find((each) => each !== column && storedName(each) === was)
      const isMoved = other === undefined || other.renamedFrom === column.name
      if (was === undefined || isMoved || storedName(column) === was) return []
      const { table, source } = entity
      return [
        {
          rule: 'column-exchanged',
          about: { table, field: column.name },
          file: source,
          line: 1,
          column: 1,
          message: `the column '${was}' of '${table}' held '${column.name}', and is the column of '${other.name}' now: its values would change hands`,
          fix: `.column('${was}') for '${column.name}' again; or free the column first, and save that migration before the next: svc migrate save`,
        },
      ]
    })
  })
}

/**
 * Renames onto a table or a column that is there, and goes in the same step: nobody can tell whose rows or values stay. Tables
 * may follow each other, `a` to `b` and `b` to `c`; of two that exchange their names, neither can be renamed first.
 */
export function renamedOnto(blueprint: Blueprint, base: string | null): readonly Problem[] {
  const wishes = wishesOf(blueprint, base)
  if (base === null || wishes.length === 0) return []
  const renames = takeRenames(wishes, base)
  return [
    ...tablesOnto(blueprint, readNames(renames.datamodel)),
    ...columnsOnto(blueprint, renames, readColumns(base)),
  ]
}

function tablesOnto({ entities }: Blueprint, names: Names): readonly Problem[] {
  const isBlocked = ({ from, table }: Wish) => from !== table && names.has(from) && names.has(table)
  const stay = new Set(entities.map(({ table }) => table))
  const blocked = entities.flatMap((entity) =>
    tableWish(entity)
      .filter(isBlocked)
      .map(({ table, from }) => ({ entity, table, from })),
  )
  return blocked.flatMap(({ entity, table, from }): readonly Problem[] => {
    const isExchanged = blocked.some((each) => each.table === from)
    if (stay.has(from) && !isExchanged) return []
    const says = `'${entity.key}' was renamed from '${entity.renamedFrom}'`
    return [
      {
        ...{ rule: 'renamed-onto', about: { table }, file: entity.source, line: 1, column: 1 },
        ...(isExchanged
          ? {
              message: `${says}, and '${from}' from another table that is there: their rows would change hands`,
              fix: `rename '${from}' to a third name first, and save that migration before the next: svc migrate save`,
            }
          : {
              message: `${says}, and there is a table '${table}' beside '${from}': its rows would go`,
              fix: `remove '${entity.key}' first, and save that migration before the rename: svc migrate save; or leave renamedFrom out, and '${from}' goes`,
            }),
      },
    ]
  })
}

/** Folded texts are left out: they are folded again. */
function columnsOnto(
  { entities }: Blueprint,
  { made, datamodel }: Renames,
  before: ReadonlyMap<string, ColumnsOfFields>,
): readonly Problem[] {
  const names = readNames(datamodel)
  return entities.flatMap((entity) => {
    const { table, columns, source } = entity
    const folded = new Set(columns.map((each) => each.folded))
    const texts = columns.filter(({ name }) => !folded.has(name))
    const stay = new Set(columns.map(storedName))
    const isThere = (name: string) => names.get(table)?.has(name) === true
    const isMade = (to: string) =>
      made.some((each) => each.table === table && each.column?.to === to)
    return columnWishes(table, texts, new Map(), columnsBefore(entity, before)).flatMap(
      ({ column }): readonly Problem[] => {
        if (column === null) return []
        const { from, to } = column
        if (!isThere(from) || !isThere(to) || stay.has(from) || isMade(to)) return []
        const about = { table, field: to }
        return [
          {
            ...{ rule: 'renamed-onto', about, file: source, line: 1, column: 1 },
            message: `'${to}' of '${table}' was renamed from '${from}', and the table has a column '${to}' beside '${from}': its values would go`,
            fix: `remove '${to}' first, and save that migration before the rename: svc migrate save; or leave the rename out, and '${from}' goes`,
          },
        ]
      },
    )
  })
}

/**
 * Finds the renames whose old name the datamodel has, and not the new one: each is made once, and
 * then only history.
 */
export function takeRenames(wishes: readonly Wish[], datamodel: string): Renames {
  const made: Wish[] = []
  let text = datamodel
  for (;;) {
    const names = readNames(text)
    const next = wishes.find((wish) => !made.includes(wish) && isDue(wish, names, text))
    if (next === undefined) return { made, datamodel: text }
    made.push(next)
    text = isKeyOnly(next) ? `${text}\n${keyMark(next)}\n` : renameIn(text, next)
  }
}

/** The table stays, and only the URI key in morph columns changes. */
export const isKeyOnly = ({ table, column, from }: Wish) => column === null && from === table

/** A comment of the schema: names of tables do not tell whether it was done. */
export const keyMark = ({ key }: Wish) => `// '${key?.from}' is called '${key?.to}' now.`

function isDue(wish: Wish, names: Names, text: string): boolean {
  const { table, column, from, key } = wish
  if (isKeyOnly(wish)) {
    // A way there and back again leads nowhere.
    const isOther = key !== undefined && key.from !== key.to
    return isOther && names.has(table) && !text.includes(keyMark(wish))
  }
  if (column === null) return names.has(from) && !names.has(table)
  const columns = names.get(table)
  return columns !== undefined && columns.has(column.from) && !columns.has(column.to)
}

interface Stem {
  readonly from: string
  readonly to: string
}

/** By URI key of today: the stems of foreign keys, before and now. */
function stemsOf(
  entities: readonly Entity[],
  models: ReadonlyMap<string, string>,
): ReadonlyMap<string, Stem> {
  return new Map(
    entities.flatMap(({ key, name, renamedFrom }) => {
      if (renamedFrom === undefined) return []
      return [
        [key, { from: formerNames(renamedFrom, models).stem, to: entityNames(key, name).stem }],
      ]
    }),
  )
}

/** Names of a repository from before, whose model may have been called otherwise than its key says. */
export function formerNames(key: string, models: ReadonlyMap<string, string>): EntityNames {
  const usual = entityNames(key)
  const model = models.get(usual.table)
  return model === undefined || model === usual.name ? usual : entityNames(key, model)
}

export function tableWish({ key, table, renamedFrom }: Entity): readonly Wish[] {
  if (renamedFrom === undefined) return []
  const from = entityNames(renamedFrom).table
  // `blog-posts` and `blog_posts` are one table, and two values of a morph.
  if (from === table && renamedFrom === key) return []
  return [{ table, column: null, from, key: { from: renamedFrom, to: key } }]
}

function pivotWishes({ table, sides }: Pivot, stems: ReadonlyMap<string, Stem>): readonly Wish[] {
  const stemOf = (entity: string | null) => (entity === null ? undefined : stems.get(entity))
  const now = sides.map(({ column }) => column.replace(/_id$/, ''))
  const before = sides.map(({ column, entity }, at) =>
    stemOf(entity) !== undefined && column === `${stemOf(entity)?.to}_id`
      ? (stemOf(entity)?.from ?? '')
      : (now[at] ?? ''),
  )
  const isNamedAfterBoth = table === pivotTable(now[0] ?? '', now[1] ?? '')
  const from = isNamedAfterBoth ? pivotTable(before[0] ?? '', before[1] ?? '') : table
  const columns = now.flatMap((stem, at) =>
    stem === before[at] ? [] : [idWish(table, { from: before[at] ?? '', to: stem })],
  )
  return from === table ? columns : [{ table, column: null, from }, ...columns]
}

const idWish = (table: string, { from, to }: Stem): Wish => {
  return { table, from: table, column: { from: `${from}_id`, to: `${to}_id` } }
}

function columnWishes(
  table: string,
  columns: readonly Column[],
  stems: ReadonlyMap<string, Stem>,
  before: ColumnsOfFields = new Map(),
): readonly Wish[] {
  const said = new Set(columns.map(storedName))
  return columns.flatMap((column) => {
    const to = storedName(column)
    const { renamedFrom: from, references } = column
    // A relation may be called by its own name or by its column's.
    const former =
      from === undefined ? [] : column.role === 'foreign' ? [from, `${from}_id`] : [from]
    // A field may have kept its name while its column gets another one.
    const own = before.get(fieldName(column.name)) ?? to
    const names = [
      ...former.map((name) => before.get(fieldName(name)) ?? name).filter((name) => name !== to),
      ...(said.has(own) ? [] : [own]),
    ]
    const stem = references === undefined ? undefined : stems.get(references.entity)
    const follows = from === undefined && stem !== undefined && to === `${stem.to}_id`
    return [
      ...names.map((name) => ({ table, from: table, column: { from: name, to } })),
      ...(follows ? [idWish(table, stem)] : []),
    ]
  })
}
