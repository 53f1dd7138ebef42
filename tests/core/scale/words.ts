/** SQL as bare words: without comments, values, quoted names and places. */
export function wordsOf(sql: string): ReadonlySet<string> {
  const bare = sql
    .replaceAll(/--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"/g, ' ')
    .replaceAll(/\$\d+/g, ' ')
  return new Set([...bare.matchAll(/[a-z_]\w*/gi)].map(([word]) => word.toLowerCase()))
}

const list = (text: string) => new Set(text.trim().split(/\s+/))

/**
 * Words that statements consist of, each looked up in what CockroachDB (25.2) and Citus (13) say that they take. One
 * that is not here was not looked up: look, then add it, or write a row of `refusals.ts` and of docs/scale.md.
 */
export const takenWords: ReadonlySet<string> = list(`
  select insert update delete from into values set where and or not in is null true false exists between like escape
  any as asc desc by order limit offset join cross lateral on case when then else end cast coalesce count lower max
  unnest jsonb_array_elements with ordinality conflict do excluded returning for key share no of collate nulls last first only
  bool int4 int8 text uuid jsonb json date timestamptz numeric float8 float4 integer bigint boolean decimal double precision

  begin commit rollback savepoint to time zone datestyle statement_timeout local set_config show

  create table alter add column constraint primary foreign references unique index cascade restrict default
  current_timestamp drop if view
`)

/** Names that are written without quotes: of the server's own tables, of aliases, of PostgreSQL's catalog. */
export const names: ReadonlySet<string> = list(`
  personal_access_tokens password_resets rate_limits _prisma_migrations id user_id name token email password points
  expires_at last_used_at created_at updated_at checksum finished_at migration_name logs rolled_back_at started_at
  applied_steps_count t u c k p q n r t0 t1 value place begun is_mine pg_tables pg_settings tablename schemaname current_schema
  server_version
`)
