import type { Query } from './read-sqlite.js'

/**
 * The schema as PostgreSQL itself writes it, in the order in which its parts were made: each needs only those before it. One block, which does nothing
 * where the first table is there: this is the past of the database it was read from, and the beginning of every other one.
 */
export async function baselineOf(query: Query): Promise<string> {
  const made = (await rowsOf(query, objects)).toSorted((one, other) => one.id - other.id)
  const joined = await rowsOf(query, additions)
  const statements = [uncheckedBodies, ...[...made, ...joined].map(({ sql }) => sql)]
  const [first] = await query(firstSql)
  if (first === undefined) return ''
  const body = statements.map((sql) => `    ${sql};`).join('\n')
  const tag = tagFor(body)
  return [
    `DO ${tag} BEGIN`,
    `  IF to_regclass(${String(first['name'])}) IS NULL THEN`,
    body,
    '  END IF;',
    `END ${tag};`,
    '',
  ].join('\n')
}

async function rowsOf(query: Query, queries: readonly string[]) {
  const found: { readonly id: number; readonly sql: string }[] = []
  for (const each of queries) {
    const rows = await query(each)
    found.push(
      ...rows.map(({ id, sql }) => ({ id: Number(id), sql: String(sql).trim().replace(/;$/, '') })),
    )
  }
  return found
}

/** Bodies of functions are quoted with dollars too. */
function tagFor(body: string): string {
  let tag = '$baseline$'
  while (body.includes(tag)) tag = tag.replace('baseline', 'a_baseline')
  return tag
}

const here = 'n.nspname = current_schema()'
const ofNoExtension = (id: string) =>
  `NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = ${id} AND d.deptype = 'e')`
const ownTable = `${here} AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations' AND ${ofNoExtension('c.oid')}`
const classes = 'pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace'

const firstSql = `SELECT quote_literal(quote_ident(c.relname)) AS name FROM ${classes} WHERE ${ownTable} ORDER BY c.oid LIMIT 1`

const extensions = `
  SELECT oid::bigint AS id, format('CREATE EXTENSION IF NOT EXISTS %I', extname) AS sql FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY oid`

const enums = `
  SELECT t.oid::bigint AS id, format('CREATE TYPE %I AS ENUM (%s)', t.typname,
    (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid)) AS sql
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
  WHERE ${here} AND t.typtype = 'e' AND ${ofNoExtension('t.oid')} ORDER BY t.oid`

const domains = `
  SELECT t.oid::bigint AS id, format('CREATE DOMAIN %I AS %s%s%s%s', t.typname, format_type(t.typbasetype, t.typtypmod),
    CASE WHEN t.typnotnull THEN ' NOT NULL' ELSE '' END, coalesce(' DEFAULT ' || t.typdefault, ''),
    (SELECT coalesce(string_agg(' ' || pg_get_constraintdef(k.oid), ''), '') FROM pg_constraint k
      WHERE k.contypid = t.oid AND k.contype = 'c')) AS sql
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
  WHERE ${here} AND t.typtype = 'd' AND ${ofNoExtension('t.oid')} ORDER BY t.oid`

/** Types of several parts, which a column may have. */
const composites = `
  SELECT t.oid::bigint AS id, format('CREATE TYPE %I AS (%s)', t.typname,
    (SELECT string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)) AS sql
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace JOIN pg_class c ON c.oid = t.typrelid
  WHERE ${here} AND c.relkind = 'c' AND ${ofNoExtension('t.oid')} ORDER BY t.oid`

const ranges = `
  SELECT t.oid::bigint AS id, format('CREATE TYPE %I AS RANGE (SUBTYPE = %s)', t.typname, format_type(r.rngsubtype, NULL)) AS sql
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace JOIN pg_range r ON r.rngtypid = t.oid
  WHERE ${here} AND ${ofNoExtension('t.oid')} ORDER BY t.oid`

/** Sequences of identity columns come with the column. */
const sequences = `
  SELECT c.oid::bigint AS id, format('CREATE SEQUENCE %I AS %s START %s INCREMENT %s', c.relname, format_type(s.seqtypid, NULL), s.seqstart, s.seqincrement) AS sql
  FROM ${classes} JOIN pg_sequence s ON s.seqrelid = c.oid
  WHERE ${here} AND ${ofNoExtension('c.oid')} AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'i')
  ORDER BY c.oid`

const functions = `
  SELECT p.oid::bigint AS id, pg_get_functiondef(p.oid) AS sql FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE ${here} AND p.prokind IN ('f', 'p') AND ${ofNoExtension('p.oid')} ORDER BY p.oid`

const uncheckedBodies = 'SET LOCAL check_function_bodies = off'

const aggregates = `
  SELECT p.oid::bigint AS id, format('CREATE AGGREGATE %I(%s) (SFUNC = %s, STYPE = %s%s%s)', p.proname,
    coalesce(nullif(pg_get_function_identity_arguments(p.oid), ''), '*'), g.aggtransfn, format_type(g.aggtranstype, NULL),
    CASE WHEN g.aggfinalfn::oid = 0 THEN '' ELSE ', FINALFUNC = ' || g.aggfinalfn END,
    coalesce(', INITCOND = ' || quote_literal(g.agginitval), '')) AS sql
  FROM pg_proc p JOIN pg_aggregate g ON g.aggfnoid = p.oid JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE ${here} AND g.aggkind = 'n' AND ${ofNoExtension('p.oid')}`

const tables = `
  SELECT c.oid::bigint AS id, format('CREATE TABLE %I (%s)%s', c.relname, (
    SELECT string_agg(format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
      CASE a.attidentity WHEN 'a' THEN ' GENERATED ALWAYS AS IDENTITY' WHEN 'd' THEN ' GENERATED BY DEFAULT AS IDENTITY' ELSE '' END,
      CASE WHEN d.adbin IS NULL THEN '' WHEN a.attgenerated <> '' THEN format(' GENERATED ALWAYS AS (%s) %s', pg_get_expr(d.adbin, d.adrelid), CASE a.attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END)
        ELSE ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END), ', ' ORDER BY a.attnum)
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    CASE WHEN c.relkind = 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(c.oid) ELSE '' END) AS sql
  FROM ${classes} WHERE ${ownTable} AND NOT c.relispartition ORDER BY c.oid`

const partitions = `
  SELECT c.oid::bigint AS id, format('CREATE TABLE %I PARTITION OF %I %s', c.relname, p.relname, pg_get_expr(c.relpartbound, c.oid)) AS sql
  FROM ${classes} JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class p ON p.oid = i.inhparent
  WHERE ${ownTable} AND c.relispartition ORDER BY c.oid`

const owners = `
  SELECT c.oid::bigint AS id, format('ALTER SEQUENCE %I OWNED BY %I.%I', c.relname, t.relname, a.attname) AS sql
  FROM ${classes} JOIN pg_depend d ON d.objid = c.oid AND d.deptype = 'a' AND d.refobjsubid > 0
    JOIN pg_class t ON t.oid = d.refobjid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
  WHERE ${here} AND c.relkind = 'S' ORDER BY c.oid`

/** NOT NULL stands with its column. Foreign keys come last: they need the keys of other tables. */
const constraints = `
  SELECT k.oid::bigint AS id, format('ALTER TABLE %I ADD CONSTRAINT %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) AS sql
  FROM pg_constraint k JOIN ${classes} ON c.oid = k.conrelid
  WHERE ${ownTable} AND k.conparentid = 0 AND k.contype IN ('p', 'u', 'c', 'x', 'f') AND k.conislocal
  ORDER BY k.contype = 'f', k.oid`

const indexes = `
  SELECT i.indexrelid::bigint AS id, pg_get_indexdef(i.indexrelid) AS sql FROM pg_index i JOIN ${classes} ON c.oid = i.indrelid
  WHERE ${ownTable} AND NOT c.relispartition
    AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype <> 'f') ORDER BY i.indexrelid`

const views = `
  SELECT c.oid::bigint AS id, format('CREATE %sVIEW %I AS %s', CASE WHEN c.relkind = 'm' THEN 'MATERIALIZED ' ELSE '' END, c.relname, pg_get_viewdef(c.oid)) AS sql
  FROM ${classes} WHERE ${here} AND c.relkind IN ('v', 'm') AND ${ofNoExtension('c.oid')} ORDER BY c.oid`

const triggers = `
  SELECT t.oid::bigint AS id, pg_get_triggerdef(t.oid) AS sql FROM pg_trigger t JOIN ${classes} ON c.oid = t.tgrelid
  WHERE ${ownTable} AND NOT t.tgisinternal AND t.tgparentid = 0 ORDER BY t.oid`

const objects = [
  extensions,
  enums,
  domains,
  composites,
  ranges,
  sequences,
  functions,
  aggregates,
  tables,
  partitions,
  views,
]

const additions = [owners, constraints, indexes, triggers]
