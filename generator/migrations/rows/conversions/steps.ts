import type { Database } from '../../../blueprint/types.js'
import { changeField, readFields } from '../../schema/datamodel.js'
import type { SchemaFile } from '../../schema/schema-file.js'
import { splitOutside, type SqlTable } from '../../sql/sql-tables.js'
import type { Decided } from './decide.js'
import type { Folded } from './folded.js'

/** A column whose table the engine shall build anew, or whose type it shall leave alone. */
type Started = Pick<Decided, 'table' | 'column'> & {
  readonly from: Pick<Decided['from'], 'nullable'>
}

type Tables = ReadonlyMap<string, SqlTable>

/**
 * The schema from which Prisma's engine goes on. On SQLite a column that is converted has a type there that none of ours is,
 * so the engine builds its table anew; on PostgreSQL it is what it shall be already.
 */
export function startSchema(
  database: Database,
  from: SchemaFile,
  to: string,
  columns: readonly Started[],
): SchemaFile {
  const target = readFields(to)
  const content = columns.reduce((text, { table, column, from: { nullable } }) => {
    return changeField(text, { table, column }, ({ attributes }) => {
      const kept = [...attributes.matchAll(/@unique\b(\([^)]*\))?|@map\("[^"]+"\)/g)]
        .map(([all]) => all)
        .join(' ')
      const now = target.get(table)?.get(column)
      if (database === 'sqlite' || now === undefined) {
        return { type: nullable ? 'Bytes?' : 'Bytes', attributes: kept }
      }
      const others = now.attributes.replaceAll(/@unique\b(\([^)]*\))?|@map\("[^"]+"\)/g, '')
      return { type: now.type, attributes: `${kept} ${others}` }
    })
  }, from.content)
  return { ...from, content }
}

const copying = /^(INSERT INTO "new_([^"]+)" \(.*?\) SELECT )([^]*?)( FROM "\2";)$/gm

/** SQLite: where a table is copied into its new form. */
export function convertInSelects(
  database: Database,
  sql: string,
  decided: readonly Decided[],
  folded: readonly Folded[],
): string {
  const values = [
    ...decided.filter(({ isRewritten }) => isRewritten),
    ...folded.map((place) => ({ ...place, value: 'NULL' })),
  ]
  if (database !== 'sqlite' || values.length === 0) return sql
  return sql.replaceAll(copying, (_, head: string, table: string, list: string, end: string) => {
    const items = splitOutside(list, ',').map((item) => {
      const column = /^\s*(?:coalesce\()?"([^"]+)"/.exec(item)?.[1]
      const found = values.find((each) => each.table === table && each.column === column)
      if (found === undefined || found.value === `"${column}"`) return item
      const isPlain = item.trim() === `"${column}"`
      const value = item.replace(`"${column}"`, () => found.value)
      return isPlain ? `${value} AS "${column}"` : value
    })
    return `${head}${items.join(',')}${end}`
  })
}

/** PostgreSQL: a new type cannot read the old default, nor rows that were filled as the new one. */
export function convertSql(
  database: Database,
  decided: readonly Decided[],
  { before, after, filled }: Readonly<Record<'before' | 'after' | 'filled', Tables>>,
): string {
  if (database === 'sqlite') return ''
  return decided
    .filter(({ isRewritten }) => isRewritten)
    .map(({ table, column, value, from, to }) => {
      const [old, now, full] = [before, after, filled].map((tables) =>
        tables.get(table)?.columns.get(column),
      )
      const change = (what: string) => `ALTER TABLE "${table}" ALTER COLUMN "${column}" ${what};\n`
      const given = full?.default ?? null
      const isRequired = from.nullable && !to.nullable
      return [
        ...(old?.default == null ? [] : [change('DROP DEFAULT')]),
        ...(!from.nullable && to.nullable ? [change('DROP NOT NULL')] : []),
        change(`SET DATA TYPE ${now?.type} USING (${value})::${now?.type}`),
        ...(isRequired && given !== null
          ? [`UPDATE "${table}" SET "${column}" = ${given} WHERE "${column}" IS NULL;\n`]
          : []),
        ...(now?.default == null ? [] : [change(`SET DEFAULT ${now.default}`)]),
        ...(isRequired ? [change('SET NOT NULL')] : []),
      ].join('')
    })
    .join('\n')
}
