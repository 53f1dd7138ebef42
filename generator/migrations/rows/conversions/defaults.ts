import type { SqlTable } from '../../sql/sql-tables.js'

/** A column that keeps its type and gets another default. */
export interface Restated {
  readonly table: string
  readonly column: string
  /** SQL; null: none any more. */
  readonly default: string | null
  readonly isNullable: boolean
}

type Tables = ReadonlyMap<string, SqlTable>

/** Prisma's engine never compares the defaults of instants, nor of what SQL spells out. */
export function restatedDefaults(before: Tables, after: Tables): readonly Restated[] {
  return [...after].flatMap(([table, { columns }]) =>
    [...columns].flatMap(([column, now]) => {
      const old = before.get(table)?.columns.get(column)
      if (old === undefined || old.type !== now.type || old.default === now.default) return []
      return [{ table, column, default: now.default, isNullable: !old.isRequired }]
    }),
  )
}

/** PostgreSQL: what the engine left out. */
export function defaultSql(restated: readonly Restated[], engine: string): string {
  const left = restated.filter(({ table, column }) => {
    const altered = engine
      .split(/^(?=ALTER TABLE )/m)
      .filter((each) => each.startsWith(`ALTER TABLE "${table}"`))
    const says = (what: string) => `ALTER COLUMN "${column}" ${what} DEFAULT`
    return !altered.some((each) => each.includes(says('SET')) || each.includes(says('DROP')))
  })
  return left
    .map(({ table, column, default: given }) => {
      const what = given === null ? 'DROP DEFAULT' : `SET DEFAULT ${given}`
      return `-- AlterTable\nALTER TABLE "${table}" ALTER COLUMN "${column}" ${what};\n`
    })
    .join('\n')
}
