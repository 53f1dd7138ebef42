import { readChecks } from '../rows/conversions/checks.js'
import type { Names } from '../schema/datamodel.js'
import { readFillMarks } from './fill-marks.js'

/**
 * One statement, comment or text of SQL; what stands in quotes or between dollar signs is one piece, and so is a trigger of
 * SQLite, which holds statements of its own.
 */
const piece =
  /\s*CREATE TRIGGER\b[^;]*?\bBEGIN\b[^]*?;\s*END(?=\s*(?:;|$))|--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[^]*?\1|;|[^-/'"$;]+|[^]/g

/** The statements of a script, without comments and the semicolons between them. */
export function statementsOf(sql: string): readonly string[] {
  const statements: string[] = ['']
  for (const [text] of sql.matchAll(piece)) {
    if (text.startsWith('--') || text.startsWith('/*')) continue
    if (text === ';') statements.push('')
    else statements.push(`${statements.pop() ?? ''}${text}`)
  }
  return statements
    .map((text) =>
      text
        .replaceAll('\r\n', '\n')
        .replaceAll(/[ \t]+\n/g, '\n')
        .trim(),
    )
    .filter((text) => text !== '')
}

/** Returns the statements of `sql` that are in none of the other scripts, in its order. */
export function beyond(sql: string, ...others: readonly string[]): readonly string[] {
  const known = others.flatMap(statementsOf)
  return statementsOf(sql).filter((statement) => {
    const at = known.indexOf(statement)
    if (at !== -1) known.splice(at, 1)
    return at === -1
  })
}

/** As Prisma's engine writes them: a step between two schemas says the same in its own way. */
const ofTheEngine: readonly RegExp[] = [
  /^PRAGMA ((defer_)?foreign_keys|legacy_alter_table)\s*=/i,
  /^ALTER TABLE "[^"]+"\s+(ADD COLUMN|DROP COLUMN|ALTER COLUMN|RENAME|DROP CONSTRAINT)\b/,
  /^ALTER TABLE "[^"]+" ADD CONSTRAINT "[^"]+" (FOREIGN|PRIMARY) KEY\b/,
  /^ALTER (INDEX|SEQUENCE) "[^"]+" RENAME TO "[^"]+"$/,
  /^CREATE (UNIQUE )?INDEX "[^"]+" ON "[^"]+"\(("[^"]+"( DESC)?( NULLS LAST)?(, )?)+\)$/,
  /^CREATE UNIQUE INDEX "[^"]+_any_case" ON "[^"]+"\(lower\(/,
  /^CREATE UNIQUE INDEX "[^"]+_existing" ON "[^"]+"\([^)]+\) WHERE "[^"]+" IS NULL$/,
  /^DROP (INDEX|TABLE) (IF EXISTS )?"[^"]+"$/,
  // Names beyond 63 characters end with a hash: see `shortened`.
  /^(DROP|CREATE)( OR REPLACE)? (FUNCTION|TRIGGER) (IF EXISTS )?"([^"]+_(counting|morph(_[^"]+)?)|[^"]{54}_[0-9a-f]{8})"/,
  /^INSERT INTO "new_[^"]+" \(.*?\) SELECT /,
  /^DELETE FROM "sqlite_sequence" WHERE "name" = 'new_/,
  /^INSERT INTO "sqlite_sequence" \("name", "seq"\) SELECT 'new_/,
  /^CREATE TABLE "svc_check" /,
  /^INSERT INTO "svc_check" SELECT /,
  /^DO \$svc\$/,
  /^CREATE OR REPLACE FUNCTION pg_temp\.svc_/,
  /^UPDATE "[^"]+" SET "[^"]+_folded" = NULL$/,
  /^DELETE FROM "[^"]+" WHERE "[^"]+_type" = '[^']*'( AND NOT EXISTS \(SELECT 1 FROM "[^"]+" WHERE [^()]*(\([^()]*\))?[^()]*\))?$/,
  /^(DELETE FROM "[^"]+"|UPDATE "[^"]+" SET "[^"]+" = NULL) WHERE "[^"]+" NOT IN \(SELECT "id" FROM "[^"]+"\)$/,
  /^UPDATE "[^"]+" SET "[^"]+_type" = '[^']*' WHERE "[^"]+_type" = '[^']*'$/,
]

/** True for what follows from the schema, and so is part of every step between two schemas. */
export function followsFromSchema(statement: string, names: Names): boolean {
  const made = /^CREATE TABLE "(?:new_)?([^"]+)"/.exec(statement)?.[1]
  if (made !== undefined && made !== 'svc_check') return names.has(made)
  return ofTheEngine.some((pattern) => pattern.test(statement))
}

/** True for what a migration does to rows because of what was said of them, or so that a column can be required. */
export function followsFromMarks(statement: string, migration: string): boolean {
  const [, table, column] =
    /^(?:UPDATE|DELETE FROM) "([^"]+)" [^]*WHERE "([^"]+)" (?:IS NULL|IS NOT NULL(?: AND NOT \([^]*\))?|IN \([^]*\))$/.exec(
      statement,
    ) ?? []
  const isRequired = migration.includes(`ALTER COLUMN "${column}" SET NOT NULL`)
  const said = [...readFillMarks(migration), ...readChecks(migration).checks]
  return isRequired || said.some((each) => each.table === table && each.column === column)
}
