/** Rows of a database, read and written as a server does. */
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Column } from '../../../../generator/blueprint/types.js'
import { storageOf } from '../../../../generator/plan/views/fields/storage.js'
import { fold } from '../../../../runtime/features/folding/fold.js'
import { selected } from '../../../../runtime/model/column-sql.js'
import { columnOf, type StorageKind } from '../../../../runtime/model/columns.js'
import { compile, raw } from '../../../../runtime/sql/sql.js'
import type { Query } from './catalogue.js'
import type { Dice } from './dice.js'
import { columnIn, columnText, equalIn, Left, type Row, type Rows, type State } from './rows.js'
import { columnsOf, keyOf, type TableState } from './world.js'

export type Scene = Pick<State, 'world' | 'blueprint'>

function codec({ blueprint: { database } }: Scene, column: Column) {
  return columnOf(column.name, storageOf(column) as StorageKind, { dialect: database })
}

const columnsWithin = (scene: Scene, table: TableState) =>
  [...columnsOf(table).keys()].flatMap((id) => {
    const column = columnIn(scene.blueprint, scene.world, id)
    return column === null ? [] : [{ id, column }]
  })

const quotedName = (name: string) => `"${name}"`

export async function readRows(query: Query, scene: Scene): Promise<Rows> {
  const rows = new Map<number, readonly Row[]>()
  for (const table of scene.world) {
    const columns = columnsWithin(scene, table)
    const read = columns.map(({ column }) => {
      const expression = raw(quotedName(column.name))
      return compile(selected(codec(scene, column), expression), scene.blueprint.database).text
    })
    const names = [quotedName('id'), ...read].join(', ')
    const found = await query(`SELECT ${names} FROM "${table.key}" ORDER BY created_at`)
    const made = found.map(([id, ...values]) => ({
      id,
      cells: new Map(
        columns.map(({ id: cell, column }, at) => {
          const stored = values[at] ?? null
          const { decode } = codec(scene, column)
          return [cell, stored === null || decode === null ? stored : decode(stored)] as const
        }),
      ),
    }))
    rows.set(table.id, made)
  }
  return rows
}

/** Predicts rows, with the database's own values where these are left to it. */
export async function settleRows(query: Query, scene: Scene, before: Rows, rows: Rows) {
  const actual = await readRows(query, scene)
  const settled = (table: number, at: number, id: string, value: unknown): unknown => {
    if (!(value instanceof Left)) return value
    const found = actual.get(table)?.[at]?.cells.get(id)
    const was = JSON.stringify(before.get(table)?.[at]?.cells.get(id))
    const what = `${columnText(scene.world, id)}: ${was} became ${JSON.stringify(found)}`
    expect([what, value.isRight(found)]).toEqual([what, true])
    return found
  }
  const cellsOf = (table: number, at: number, { cells }: Row) =>
    new Map([...cells].map(([id, value]) => [id, settled(table, at, id, value)]))
  return new Map(
    [...rows].map(([table, list]) => [
      table,
      list.map((row, at) => ({ ...row, cells: cellsOf(table, at, row) })),
    ]),
  )
}

export async function expectRows(query: Query, state: State): Promise<void> {
  const actual = await readRows(query, state)
  if (!isDeepStrictEqual(actual, state.rows)) {
    expect(textsOf(state, actual)).toEqual(textsOf(state, state.rows))
  }
  await expectFolded(query, state)
  await expectWords(query, state)
}

const textsOf = ({ world }: Scene, rows: Rows) =>
  world.map(({ id, key }) => [
    key,
    (rows.get(id) ?? []).map((row) => [
      row.id,
      [...row.cells].map(([cell, value]) => [columnText(world, cell), value]),
    ]),
  ])

/** A folded value belongs to the row's text, or is empty, and the server folds it. */
async function expectFolded(query: Query, scene: Scene): Promise<void> {
  for (const { key, fields } of scene.world) {
    for (const { name } of fields.filter(({ folded }) => folded)) {
      const found = await query(
        `SELECT "${name}", "${name}_folded" FROM "${key}" WHERE "${name}_folded" IS NOT NULL`,
      )
      const wrong = found.filter(([text, folded]) => fold(String(text)) !== folded)
      expect([key, name, wrong]).toEqual([key, name, []])
    }
  }
}

/** The searched text is that of the row, as it is. PostgreSQL makes it itself. */
async function expectWords(query: Query, { world, blueprint }: Scene): Promise<void> {
  if (blueprint.database !== 'sqlite') return
  for (const { key, words, fields, ids } of world) {
    if (words === null) continue
    const names = words.columns.map((id) => fields.find((each) => each.id === id)?.name ?? '')
    const isByKey = ids === 'uuid'
    const index = isByKey
      ? `"${key}_search" s JOIN "${key}_search_keys" k ON k."row" = s.rowid`
      : `"${key}_search" s`
    const row = isByKey ? 'k."key" = t.id' : 's.rowid = t.id'
    const same = names.map((name, at) => `s.${'abcd'[at]} IS t."${name}"`).join(' AND ')
    const found = await query(
      `SELECT (SELECT count(*) FROM "${key}"), (SELECT count(*) FROM ${index}),
        (SELECT count(*) FROM ${index}, "${key}" t WHERE ${row} AND ${same})`,
    )
    expect([key, new Set(found[0]).size]).toEqual([key, 1])
  }
}

let written = 0

export async function insertRows(
  query: Query,
  scene: Scene,
  dice: Dice,
  { count, before }: { readonly count: number; readonly before: Rows },
): Promise<Rows> {
  let rows = before
  for (let at = 0; at < count; at++) {
    const table = dice.pick(scene.world)
    const there = rows.get(table.id) ?? []
    const cells = cellsFor(scene, table, rows, dice)
    if (cells === null) continue
    const row = { id: table.ids === 'uuid' ? dice.uuid() : null, cells }
    const isEqual = equalIn(scene.world, new Map([...rows, [table.id, [...there, row]]])) !== 'no'
    if (isEqual) continue
    const id = await insertRow(query, scene, table, row, dice)
    rows = new Map([...rows, [table.id, [...there, { ...row, id }]]])
  }
  return rows
}

/** Null: it has to point at something, and there is nothing. */
function cellsFor(
  scene: Scene,
  table: TableState,
  rows: Rows,
  dice: Dice,
): ReadonlyMap<string, unknown> | null {
  const cells = new Map<string, unknown>()
  for (const { id, form, nullable } of table.fields) {
    cells.set(String(id), nullable && dice.isOneIn(3) ? null : dice.pick(form.values))
  }
  for (const { id, target, nullable } of table.links) {
    const found = rows.get(target) ?? []
    if (found.length === 0 && !nullable) return null
    const isNull = found.length === 0 || (nullable && dice.isOneIn(3))
    cells.set(String(id), isNull ? null : dice.pick(found).id)
  }
  const { morph } = table
  if (morph === null) return cells
  const owners = morph.owners.filter((owner) => (rows.get(owner.table) ?? []).length > 0)
  const owner = owners.length === 0 || dice.isOneIn(3) ? null : dice.pick(owners)
  const column = columnIn(scene.blueprint, scene.world, `${morph.id} id`)
  const id = owner === null ? null : dice.pick(rows.get(owner.table) ?? []).id
  cells.set(`${morph.id} type`, owner === null ? null : keyOf(scene.world, owner.table))
  cells.set(`${morph.id} id`, id !== null && column?.kind === 'text' ? String(id) : id)
  return cells
}

/** Answers its id. */
async function insertRow(query: Query, scene: Scene, table: TableState, row: Row, dice: Dice) {
  const instant = new Date(Date.UTC(2026, 0, 1) + ++written * 1000).toISOString()
  const isSqlite = scene.blueprint.database === 'sqlite'
  const stamp = isSqlite ? instant.replace('Z', '+00:00') : instant
  const values = columnsWithin(scene, table).flatMap(({ id, column }) => {
    const value = row.cells.get(id) ?? null
    const stored = value === null ? null : codec(scene, column).encode(value)
    const isFolded = column.folded !== undefined && value !== null && !dice.isOneIn(4)
    const folded = isFolded ? [[column.folded ?? '', fold(String(value))] as const] : []
    return [[column.name, stored] as const, ...folded]
  })
  const all = [
    ...(row.id === null ? [] : [['id', row.id] as const]),
    ...values,
    ['created_at', stamp] as const,
    ['updated_at', stamp] as const,
  ]
  const names = all.map(([name]) => quotedName(name)).join(', ')
  const list = all.map(([, value]) => quoted(value)).join(', ')
  const [[id] = []] = await query(
    `INSERT INTO "${table.key}" (${names}) VALUES (${list}) RETURNING id`,
  )
  return id
}

export const quoted = (value: unknown): string =>
  value === null || value === undefined
    ? 'NULL'
    : typeof value === 'number'
      ? String(value)
      : `'${String(value).replaceAll("'", "''")}'`
