import type { Catalog, FoundColumn, FoundTable } from '../../../plan/existing/catalog.js'
import { baselineOf } from './postgres-baseline.js'
import type { Query } from './read-sqlite.js'
import { whiteSpace } from './white-space.js'

/** Reads the schema of a PostgreSQL database that its connection sees first, `public` as a rule. */
export async function readPostgres(query: Query): Promise<Catalog> {
  const columns = await query(columnsSql)
  const constraints = await query(constraintsSql)
  const indexes = await query(indexesSql)
  const names = await query(tablesSql)
  const tables: FoundTable[] = []
  for (const { name: named } of names) {
    const name = String(named)
    const isHere = (row: Readonly<Record<string, unknown>>) => row['table'] === name
    const own = constraints.filter(isHere)
    const checks = own
      .filter(({ type }) => type === 'c')
      .map(({ definition }) => String(definition))
    const found: FoundColumn[] = []
    for (const each of columns.filter(isHere)) {
      found.push(await columnOf(query, name, each, checks))
    }
    const ofKind = (kind: string) => own.filter(({ type }) => type === kind)
    const primaryKey = list(ofKind('p')[0]?.['columns'])
    const key = found.find((each) => each.name === primaryKey[0])
    tables.push({
      name,
      columns: found,
      primaryKey,
      isCounted: key !== undefined && (key.default !== null || key.isGenerated),
      unique: indexes.filter((each) => isHere(each) && each['unique'] === true).map(columnsIn),
      indexes: indexes.filter((each) => isHere(each) && each['unique'] !== true).map(columnsIn),
      declarations: {
        columns: new Map(),
        checks: checks.filter((each) =>
          found.every(({ name }) => checkedWords(each, name).length === 0),
        ),
        constraints: [],
        keys: [],
      },
      foreign: ofKind('f').map((each) => ({
        columns: list(each['columns']),
        table: String(each['target']),
        to: list(each['to']),
        onDelete: actions[String(each['action'])] ?? 'other',
      })),
    })
  }
  const [history] = await query(`SELECT to_regclass('_prisma_migrations') AS name`)
  const hasHistory = history !== undefined && history['name'] !== null
  return { database: 'postgresql', tables, hasHistory, baseline: await baselineOf(query) }
}

const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const columnsIn = ({ columns }: Readonly<Record<string, unknown>>) => list(columns)

const actions: Readonly<Record<string, 'restrict' | 'cascade' | 'setNull'>> = {
  a: 'restrict',
  r: 'restrict',
  c: 'cascade',
  n: 'setNull',
}

async function columnOf(
  query: Query,
  table: string,
  row: Readonly<Record<string, unknown>>,
  checks: readonly string[],
): Promise<FoundColumn> {
  const name = String(row['name'])
  const words = list(row['words'])
  const options = words.length > 0 ? words : checks.flatMap((each) => checkedWords(each, name))
  const [place, from] = [name, table].map((each) => `"${each.replaceAll('"', '""')}"`)
  const type = String(row['type'])
  const largest = type === 'bigint' ? `max(abs(${place}::numeric))` : 'null'
  const longest = type === 'text' ? `max(length(${place}))` : 'null'
  const isText = /^(?:text|citext|character)/.test(type)
  const blank = isText ? `bool_or(btrim(${place}::text, ${whiteSpace}) = '')` : 'false'
  const odd = oddIn(type, String(place)) ?? 'false'
  const [values = {}] = await query(
    `SELECT count(*)::int AS "rows", (count(*) - count(${place}))::int AS nulls, ${largest}::text AS largest, ${longest} AS longest,
       ${blank} AS blank,
       min(${place}::text) FILTER (WHERE ${odd}) AS odd FROM ${from}`,
  )
  return {
    name,
    type,
    nullable: row['required'] !== true,
    default: row['value'] === null ? null : String(row['value']),
    isGenerated: row['generated'] === true,
    ...(options.length === 0 ? {} : { options }),
    ...(row['enum'] === null ? {} : { enumType: String(row['enum']) }),
    values: {
      rows: Number(values['rows']),
      hasNull: Number(values['nulls']) > 0,
      hasBlank: values['blank'] === true,
      storage: [],
      largest: values['largest'] === null ? null : Number(values['largest']),
      longest: values['longest'] === null ? null : Number(values['longest']),
      example: null,
      areInstants: true,
      areUuids: false,
      odd: values['odd'] === null ? null : String(values['odd']),
    },
  }
}

/** Values that have no place in JSON, or no digits in a time of ours. */
function oddIn(type: string, place: string): string | null {
  if (/^(real|double|numeric)/.test(type))
    return `${place}::text IN ('NaN', 'Infinity', '-Infinity')`
  return /^(date|timestamp)/.test(type)
    ? `${place} NOT BETWEEN '0001-01-01' AND '9999-12-31'`
    : null
}

/**
 *     CHECK (((status)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))
 *     CHECK (((status)::text = ANY (ARRAY[('a'::character varying)::text, ('b'::character varying)::text])))
 */
function checkedWords(check: string, column: string): readonly string[] {
  const form =
    /^CHECK \(+(?:"([^"]+)"|(\w+))\)?(?:::[\w ]+)? = ANY \(+ARRAY\[(.*?)\](?:\)::text\[\])?\)+$/s.exec(
      check,
    )
  const [, quoted, name = quoted, list = ''] = form ?? []
  const rest = list.replaceAll(/'(?:[^']|'')*'|::[a-z ]+|[\s,()]/g, '')
  if (name !== column || rest !== '') return []
  return [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word.replaceAll("''", "'"))
}

const here = 'n.nspname = current_schema()'

/** Parts of a partitioned table are its own business, and tables of extensions theirs. */
export const tablesSql = `
  SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE ${here} AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.oid`

const columnsSql = `
  SELECT c.relname AS table, a.attname AS name, a.attnotnull AS required,
    format_type(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END,
      CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END) AS type,
    pg_get_expr(d.adbin, d.adrelid) AS value, a.attgenerated <> '' OR a.attidentity <> '' AS generated,
    CASE WHEN t.typtype = 'e' THEN t.typname END AS enum,
    ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder) AS words
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE ${here} AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY c.oid, a.attnum`

const namesOf = (keys: string, table: string) =>
  `ARRAY(SELECT a.attname::text FROM unnest(${keys}) WITH ORDINALITY u(number, place)
    JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = u.number ORDER BY u.place)`

const constraintsSql = `
  SELECT c.relname AS table, k.contype AS type, k.confdeltype AS action, pg_get_constraintdef(k.oid) AS definition,
    ${namesOf('k.conkey', 'k.conrelid')} AS columns, ${namesOf('k.confkey', 'k.confrelid')} AS to, f.relname AS target
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_class f ON f.oid = k.confrelid
  WHERE ${here} AND k.conparentid = 0 ORDER BY c.oid, k.oid`

/** Whole columns of a whole table, without those that an index only carries; the key's own is left out. */
const indexesSql = `
  SELECT c.relname AS table, i.indisunique AS unique, ${namesOf('(i.indkey::int2[])[0:i.indnkeyatts - 1]', 'i.indrelid')} AS columns
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
  WHERE ${here} AND NOT i.indisprimary AND i.indpred IS NULL AND i.indexprs IS NULL AND m.amname = 'btree' ORDER BY i.indexrelid`
