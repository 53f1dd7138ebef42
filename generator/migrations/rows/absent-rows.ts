import type { Database } from '../../blueprint/types.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { markedColumns } from '../schema/schema-marks.js'
import { splitOutside } from '../sql/sql-tables.js'
import { absent, type LeftRows } from './left-rows.js'

/** The comment above a column by which rows are there no more. */
export const absenceMark = 'Since when a record is deleted: rows with a value are there no more.'

const mark = /^Since when a record is deleted: /

/** Rows that are there no more, where the column that says so goes: without it they would be back. */
export function absentRows(
  database: Database,
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
  script: string,
): readonly LeftRows[] {
  const now = markedColumns(after, mark)
  const kept = new Set(now.map(({ table, column }) => `${table}.${column}`))
  const text = after.map(({ content }) => content).join('\n')
  return markedColumns(before, mark)
    .filter(({ table, column }) => {
      return !kept.has(`${table}.${column}`) && text.includes(`@@map("${table}")`)
    })
    .map(({ table, column }): LeftRows => {
      const where = `"${column}" IS NOT NULL`
      const gone = `DELETE FROM "${table}" WHERE ${where};\n`
      return {
        table,
        column,
        check: { table, column, says: absent, isSecret: false, isAcceptable: true, where },
        sql: database === 'sqlite' ? gone + behind(table, keysIn(script)) : gone,
        says: `lets deleting a record of '${table}' be for good: rows that are deleted by '${column}' stop it, or go for good in a run that accepts data loss`,
      }
    })
}

interface ForeignKey {
  readonly table: string
  readonly column: string
  readonly to: string
  readonly onDelete: string
}

/** While SQLite changes tables its foreign keys do nothing: what goes with a row, or loses it, is said. */
function behind(table: string, keys: readonly ForeignKey[], seen = new Set<string>()): string {
  if (seen.has(table)) return ''
  seen.add(table)
  return keys
    .filter(({ to }) => to === table)
    .map((key) => {
      const where = `"${key.column}" NOT IN (SELECT "id" FROM "${table}")`
      if (key.onDelete === 'SET NULL')
        return `UPDATE "${key.table}" SET "${key.column}" = NULL WHERE ${where};\n`
      if (key.onDelete !== 'CASCADE') return ''
      if (key.table === table) return belowThemselves(key)
      return `DELETE FROM "${key.table}" WHERE ${where};\n${behind(key.table, keys, seen)}`
    })
    .join('')
}

/** All generations of them: each goes with the one before. */
function belowThemselves({ table, column }: ForeignKey): string {
  const first = `SELECT "id" FROM "${table}" WHERE "${column}" NOT IN (SELECT "id" FROM "${table}")`
  const next = `SELECT t."id" FROM "${table}" AS t JOIN svc_gone ON t."${column}" = svc_gone."id"`
  const gone = `WITH RECURSIVE svc_gone("id") AS (${first} UNION ${next}) SELECT "id" FROM svc_gone`
  return `DELETE FROM "${table}" WHERE "id" IN (${gone});\n`
}

function keysIn(script: string): readonly ForeignKey[] {
  return splitOutside(script, ';').flatMap((statement) => {
    const table = /CREATE TABLE "([^"]+)"/.exec(statement)?.[1]
    if (table === undefined) return []
    const found = statement.matchAll(
      /FOREIGN KEY \("([^"]+)"\) REFERENCES "([^"]+)" \("[^"]+"\) ON DELETE (\w+(?: NULL)?)/g,
    )
    return [...found].map(([, column = '', to = '', onDelete = '']) => {
      return { table, column, to, onDelete }
    })
  })
}
