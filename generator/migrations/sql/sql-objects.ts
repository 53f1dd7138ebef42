import { splitOutside } from './sql-tables.js'

/** An object with a name of its own, beside tables and columns. */
export interface SqlObject {
  readonly kind: 'index' | 'primary' | 'foreign' | 'sequence'
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  /** The form of an index: an order, an expression, a condition on rows. */
  readonly form: string
  /** The statement that makes it. */
  readonly sql: string
}

/** Reads a script that builds a database from nothing. */
export function readObjects(script: string): readonly SqlObject[] {
  return splitOutside(script, ';').flatMap((text) => {
    const sql = text.replace(/^(\s|--.*\n)+/, '').trim()
    const index = /^CREATE (?:UNIQUE )?INDEX "([^"]+)" ON "([^"]+)"\((.*)\)( WHERE )?/.exec(sql)
    if (index !== null) return [object('index', sql, index)]
    const added =
      /^ALTER TABLE "([^"]+)" ADD CONSTRAINT "([^"]+)" FOREIGN KEY \(((?:"[^"]+"|[^")])*)\)/.exec(
        sql,
      )
    if (added !== null) return [object('foreign', sql, [added[0], added[2], added[1], added[3]])]
    const table = /^CREATE TABLE "([^"]+)"/.exec(sql)?.[1]
    return table === undefined ? [] : inTable(table, sql)
  })
}

function inTable(table: string, sql: string): readonly SqlObject[] {
  const keys = [...sql.matchAll(/\n\s*CONSTRAINT "([^"]+)" PRIMARY KEY \(((?:"[^"]+"|[^")])*)\)/g)]
  const serials = [...sql.matchAll(/\n\s*"([^"]+)" (?:BIG|SMALL)?SERIAL\b/g)]
  return [
    ...keys.map(([all, name, columns]) => object('primary', sql, [all, name, table, columns])),
    ...serials.map(([all, column]) =>
      object('sequence', sql, [all, `${table}_${column}_seq`, table, column]),
    ),
  ]
}

function object(
  kind: SqlObject['kind'],
  sql: string,
  [, name = '', table = '', columns = '', some = '']: readonly (string | undefined)[],
): SqlObject {
  const names = [...columns.matchAll(/"([^"]+)"/g)].map(([, column = '']) => column)
  const form = `${columns.replaceAll(/"[^"]+"/g, '""')}${some}`
  return { kind, name, table, columns: names.length === 0 ? [columns] : names, form, sql }
}
