import { readForm } from '../rows/conversions/form.js'
import { readFields, type SchemaField } from '../schema/datamodel.js'
import { splitOutside } from '../sql/sql-tables.js'

/**
 * What a PostgreSQL that was there holds a field to, and no schema of Prisma's says: the words of a CHECK or of an enum type,
 * the length of a `varchar`, an identity or an expression. A field that says otherwise from now on takes it along. The
 * database itself is asked which of them it has: other ones do nothing there.
 */
export function agreed(sql: string, from: string, to: string): string {
  const before = readFields(from)
  const changes = [...readFields(to)].flatMap(([table, fields]) =>
    [...fields].flatMap(([column, now]) => {
      const then = before.get(table)?.get(column)
      return then === undefined ? [] : [{ table, column, then, now }]
    }),
  )
  const first = changes.flatMap(({ table, column, then, now }) => [
    ...wordsSql(table, column, then, now),
    ...lengthSql(table, column, then, now),
  ])
  const last = changes.flatMap(({ table, column, then, now }) =>
    optionsIn(then) === null || optionsIn(now) === null || !isOther(then, now)
      ? []
      : [validSql(table, column)],
  )
  const free = changes.filter(
    ({ then, now }) => then.attributes.includes(generated) && !now.attributes.includes(generated),
  )
  const given = changes
    .filter(({ then, now }) => isOther(then, now))
    .reduce(
      // A word that an enum type has from now on cannot be said in the same transaction.
      (script, { column }) => script.replaceAll(`"${column}" IN (`, `"${column}"::text IN (`),
      free.reduce(withoutGenerated, sql),
    )
  if (first.length === 0) return given
  const at = given.startsWith('-- Renamed, ') ? `${given}\n`.indexOf('\n\n') + 1 : 0
  const head = '-- What the database itself holds a field to\n'
  return [given.slice(0, at), head, ...first, given.slice(at), ...last].join('')
}

const optionsIn = ({ mark, type }: SchemaField) => {
  const form = readForm(mark, type)
  return form?.kind === 'select' ? (form.options ?? []) : null
}

const isOther = (then: SchemaField, now: SchemaField) =>
  optionsIn(then)?.join('\n') !== optionsIn(now)?.join('\n')

const text = (value: string) => `'${value.replaceAll("'", "''")}'`

/** Looks the column up; `svc` is its row in `pg_attribute`. */
const block = (table: string, column: string, lines: readonly string[]) =>
  [
    `DO $svc$ DECLARE svc pg_attribute; svc_name text; BEGIN`,
    `SELECT * INTO svc FROM pg_attribute WHERE attrelid = ${text(`"${table}"`)}::regclass AND attname = ${text(column)};`,
    ...lines,
    `END $svc$;\n`,
  ].join('\n')

const ofWords = `SELECT conname FROM pg_constraint WHERE contype = 'c' AND conrelid = svc.attrelid AND conkey = ARRAY[svc.attnum] AND pg_get_constraintdef(oid) ~ 'ARRAY\\['`

/** Rows are looked at when values were converted. */
function wordsSql(
  table: string,
  column: string,
  then: SchemaField,
  now: SchemaField,
): readonly string[] {
  const options = optionsIn(now)
  if (optionsIn(then) === null || !isOther(then, now)) return []
  const alter = `ALTER TABLE "${table}"`
  const list = options?.map(text).join(', ') ?? ''
  const check =
    options === null ? '' : `, ADD CONSTRAINT %1$I CHECK ("${column}" IN (${list})) NOT VALID`
  const added = (options ?? []).map(
    (each) =>
      `EXECUTE format('ALTER TYPE %s ADD VALUE IF NOT EXISTS %L', svc.atttypid::regtype, ${text(each)});`,
  )
  const plain = `${alter} ALTER COLUMN "${column}" SET DATA TYPE TEXT USING "${column}"::text;`
  return [
    block(table, column, [
      `FOR svc_name IN ${ofWords} LOOP`,
      `EXECUTE format(${text(`${alter} DROP CONSTRAINT %1$I${check}`)}, svc_name);`,
      'END LOOP;',
      `IF EXISTS (SELECT 1 FROM pg_type WHERE oid = svc.atttypid AND typtype = 'e') THEN`,
      ...(options === null ? [plain] : added),
      'END IF;',
    ]),
  ]
}

const validSql = (table: string, column: string) =>
  block(table, column, [
    `FOR svc_name IN ${ofWords} AND NOT convalidated LOOP`,
    `EXECUTE format(${text(`ALTER TABLE "${table}" VALIDATE CONSTRAINT %I`)}, svc_name);`,
    'END LOOP;',
  ])

function lengthSql(
  table: string,
  column: string,
  then: SchemaField,
  now: SchemaField,
): readonly string[] {
  const [old, next] = [then, now].map((field) => readForm(field.mark, field.type))
  const isText = old?.type === 'String' && next?.type === 'String'
  const isLonger = (next?.max ?? Infinity) > (old?.max ?? Infinity)
  if (!isText || !isLonger || old?.kind === 'select') return []
  const type = next?.max === undefined ? 'TEXT' : `VARCHAR(${next.max})`
  return [
    block(table, column, [
      `IF svc.atttypid IN ('varchar'::regtype, 'bpchar'::regtype) AND svc.atttypmod > 4${next?.max === undefined ? '' : ` AND svc.atttypmod - 4 < ${next.max}`} THEN`,
      `ALTER TABLE "${table}" ALTER COLUMN "${column}" SET DATA TYPE ${type};`,
      'END IF;',
    ]),
  ]
}

const generated = '@default(dbgenerated())'

interface Place {
  readonly table: string
  readonly column: string
}

/** The engine takes whatever a column has for a default. */
function withoutGenerated(sql: string, { table, column }: Place): string {
  const change = `ALTER COLUMN "${column}" DROP DEFAULT`
  return sql.replaceAll(/^ALTER TABLE "([^"]+)" ([^;]*);$/gm, (all, name: string, list: string) => {
    const items = splitOutside(list, ',').map((each) => each.trim())
    if (name !== table || !items.includes(change)) return all
    const others = items.filter((each) => each !== change).join(',\n')
    const rest = others === '' ? '' : `ALTER TABLE "${table}" ${others};\n`
    return `${rest}${notGeneratedSql(table, column)}`
  })
}

function notGeneratedSql(table: string, column: string): string {
  const change = `ALTER TABLE "${table}" ALTER COLUMN "${column}"`
  return block(table, column, [
    `IF svc.attidentity <> '' THEN ${change} DROP IDENTITY;`,
    `ELSIF svc.attgenerated <> '' THEN ${change} DROP EXPRESSION;`,
    `ELSE ${change} DROP DEFAULT;`,
    'END IF;',
  ]).trimEnd()
}
