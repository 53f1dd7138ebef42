/**
 * A refusal, or another behaviour, of another engine in docs/scale.md. A row that nothing meets is
 * deleted.
 */
export interface Refusal {
  /** As the page has it. */
  readonly what: string
  readonly engine: 'CockroachDB' | 'Citus'
  readonly isMetBy: (sql: string) => boolean
  /** Words that are nobody else's. */
  readonly words?: string
}

const has = (pattern: RegExp) => (sql: string) => pattern.test(sql)

const keyOf = /CREATE TABLE "[^"]+" \((?:[^;]|\n)*?PRIMARY KEY \("id"\)/

export const refusals: readonly Refusal[] = [
  {
    what: 'SERIAL',
    engine: 'CockroachDB',
    isMetBy: has(/\b(?:big)?serial\b/i),
    words: 'serial bigserial nextval pg_get_serial_sequence quote_ident',
  },
  {
    what: 'Advisory locks',
    engine: 'CockroachDB',
    isMetBy: has(/\bpg_\w*advisory_\w+/),
    words: 'pg_try_advisory_xact_lock pg_advisory_unlock_all',
  },
  {
    what: 'Triggers',
    engine: 'CockroachDB',
    isMetBy: has(/CREATE TRIGGER/),
    words: `trigger function returns language plpgsql before after each row execute new old found if return perform raise
      using message foreign_key_violation`,
  },
  {
    what: 'The order of a lateral join',
    engine: 'CockroachDB',
    isMetBy: has(/with ordinality[^]*cross join lateral[^]*\) as c limit/),
  },
  {
    what: 'NULL in an order',
    engine: 'CockroachDB',
    isMetBy: (sql) =>
      /^select[^]* order by [^]*\basc\b/i.test(sql) && !/nulls (first|last)/i.test(sql),
  },
  {
    what: 'Several changes in one transaction',
    engine: 'CockroachDB',
    isMetBy: has(/CREATE TABLE[^]*ALTER TABLE/),
  },
  { what: 'A key without the column of the tenant', engine: 'Citus', isMetBy: has(keyOf) },
  {
    what: 'A unique value of all rows',
    engine: 'Citus',
    isMetBy: has(/CREATE UNIQUE INDEX "users_email_key"/),
  },
  { what: 'Triggers', engine: 'Citus', isMetBy: has(/CREATE TRIGGER/) },
  {
    what: 'Locked rows of several nodes',
    engine: 'Citus',
    isMetBy: has(/= any\(\$1[^]*for (no key )?(update|key share)/),
  },
  {
    what: 'Sub-selects about other columns',
    engine: 'Citus',
    isMetBy: has(/exists \(select 1 from|cross join lateral/),
  },
]
