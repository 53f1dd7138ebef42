import { createHash } from 'node:crypto'
import type { Database, Problem } from '../blueprint/types.js'
import { splitSides, type Sides } from '../source/branches.js'
import { plain } from '../source/merge.js'
import { adoptionProblems } from './diff/adopted.js'
import type { SchemaDiff } from './diff/engine.js'
import { takeRenames } from './diff/renames.js'
import { noRenaming, type Renaming } from './diff/renaming.js'
import type { MigrationContext } from './keepers/kept.js'
import type { MigrationState } from './migration-state.js'
import { describeLosses, noLosses, type Losses } from './rows/losses.js'
import type { SchemaFile } from './schema/schema-file.js'
import { readFillMarks } from './sql/fill-marks.js'
import { factsIn, leadsToToday } from './torn-base.js'

export const migrationsFolder = 'prisma/migrations'

/** Files below the migrations folder; Prisma reads folders only, and leaves these alone. */
export const migrationPaths = {
  lock: `${migrationsFolder}/migration_lock.toml`,
  base: `${migrationsFolder}/base.prisma`,
  draft: `${migrationsFolder}/draft.sql`,
  draftSchema: `${migrationsFolder}/draft.prisma`,
  /** A draft that was edited by hand, when the schema changed after that. */
  edited: `${migrationsFolder}/draft.edited.sql`,
} as const

/** A file to write; null: to remove. */
export interface MigrationFile {
  readonly path: string
  readonly content: string | null
}

export interface Draft {
  readonly sql: string
  /** Questions to a database with rows, a sentence each; empty: none. */
  readonly warnings: readonly string[]
}

export interface MigrationPlan {
  readonly files: readonly MigrationFile[]
  /** The draft that stands after this run. */
  readonly draft: Draft | null
  /** Nothing is planned while one stands. */
  readonly problems: readonly Problem[]
}

/** All files of `prisma/schema` as one text, in order of path: what `base.prisma` and a database's draft remember. */
export function joinSchema(files: readonly SchemaFile[]): string {
  return [...files]
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ content }) => content)
    .join('\n')
}

/**
 * What the schema asks of the migrations folder: a draft of the difference from what is saved (nothing, at first), made anew
 * on each run until `planSave` dates it. Reads no disk; what is there already is not planned again.
 */
export async function planMigrations(
  context: MigrationContext,
  state: MigrationState,
  schema: readonly SchemaFile[],
  renaming: Renaming = noRenaming,
): Promise<MigrationPlan> {
  const { database } = context
  const text = joinSchema(schema)
  if (await leadsToToday(context, state.base ?? '', schema)) {
    const migrationPlan = await planMigrations(context, { ...state, base: text }, schema, renaming)
    const isPlanned = migrationPlan.problems.length === 0
    const base = { path: migrationPaths.base, content: text }
    return isPlanned ? { ...migrationPlan, files: [...migrationPlan.files, base] } : migrationPlan
  }
  const problems = [
    ...problemsIn(database, state),
    ...adoptionProblems(database, state, schema),
    ...(renaming.problems ?? []),
  ]
  if (problems.length > 0) return { files: [], draft: null, problems }
  const base = withUnixLines(state.base) ?? ''
  if (text === base) return planDraft(state, null, null)
  const start = startOf(base, renaming)
  const known = readMark(state.draftSchema)
  const isSaid = known?.start === start
  const isKnown = state.draft !== null && isSaid && known.text === text
  if (isKnown) return planDraft(state, state.draft, state.draftSchema)
  if (state.draft !== null && isSaid && base === '' && saysTheSame(known.text, text)) {
    return planDraft(state, state.draft, `${markOf(start, known.sql)}${text}`)
  }
  const isTrusted = base === '' && isSaid && !isEdited(state)
  const changed = isTrusted ? await draftAfter(context, state.draft, known.text, schema) : null
  const diff =
    changed === null
      ? await diffFromSaved(context, base, schema, renaming)
      : { sql: changed, changed: true, losses: noLosses }
  if (diff.changed) {
    const sql = withWarnings(diff.sql, diff.losses)
    const made = startOf(base, { ...renaming, fills: usedIn(sql, renaming) })
    const migrationPlan = planDraft(state, sql, `${markOf(made, hash(sql))}${text}`)
    return { ...migrationPlan, files: [...migrationPlan.files, ...planLock(database, state)] }
  }
  const migrationPlan = planDraft(state, null, null)
  if (state.base === null) return migrationPlan
  // Comments, or names that only the client knows: the database is the same, and the next run need not ask again.
  return {
    ...migrationPlan,
    files: [...migrationPlan.files, { path: migrationPaths.base, content: text }],
  }
}

/** The draft of a database that is made anew, where a change is of a model or two. */
async function draftAfter(
  context: MigrationContext,
  draft: string | null,
  text: string,
  schema: readonly SchemaFile[],
): Promise<string | null> {
  const sql = withUnixLines(draft)
  if (sql === null) return null
  const { changedDraft } = await import('./diff/changed-draft.js')
  const known = { sql, schema: { path: migrationPaths.draftSchema, content: text } }
  return changedDraft(context, known, schema)
}

/**
 * Returns true for a new database: comments and marks ask nothing of it. Prisma's engine takes
 * longer than the rest of a run.
 */
const saysTheSame = (one: string, other: string) => withoutMarks(one) === withoutMarks(other)

const withoutMarks = (text: string) => text.replaceAll(/ +\/\/ [^"\n]*$/gm, '')

/**
 * From what the saved migrations lead to (empty: none is saved) to a schema. Most runs compare none, so what does it is
 * loaded here.
 */
export async function diffFromSaved(
  context: MigrationContext,
  base: string,
  schema: readonly SchemaFile[],
  renaming: Renaming,
): Promise<SchemaDiff> {
  if (base === '') {
    const { diffSql } = await import('./diff/engine.js')
    return diffSql(context, 'empty', schema)
  }
  const { diffRenamed } = await import('./diff/renaming-diff.js')
  return diffRenamed(context, { path: migrationPaths.base, content: base }, schema, renaming)
}

function planDraft(state: MigrationState, sql: string | null, text: string | null): MigrationPlan {
  const files = [
    { path: migrationPaths.draft, before: state.draft, content: sql },
    { path: migrationPaths.draftSchema, before: state.draftSchema, content: text },
  ]
  const isLost = isEdited(state) && sql !== state.draft && !isSaidAgain(state, sql ?? '')
  const draft = sql === null ? null : { sql, warnings: readWarnings(sql) }
  const changed = files.filter((file) => file.content !== file.before)
  const planned = changed.map(({ path, content }) => ({ path, content }))
  return { files: isLost ? [...planned, setAside(state)] : planned, draft, problems: [] }
}

/**
 * True when `draft.sql` was changed after svc wrote it, or that is unknown: its `draft.prisma` is gone. Where git left
 * its markers in both, each branch's is asked for.
 */
export function isEdited({ draft, draftSchema }: MigrationState): boolean {
  if (draft === null) return false
  const [sql, schema] = [sidesOf(draft), sidesOf(draftSchema ?? '')]
  const isWritten = (side: keyof Sides) => readMark(schema[side])?.sql === hash(sql[side])
  return !isWritten('left') || !isWritten('right')
}

/** True of what git made of two branches' drafts when the draft of today says all of it: nobody's statement is lost. */
function isSaidAgain({ draft, draftSchema }: MigrationState, sql: string): boolean {
  const [mine, schema] = [sidesOf(draft ?? ''), sidesOf(draftSchema ?? '')]
  const isTorn = [mine, schema].some(({ left, right }) => left !== right)
  const said = new Set(factsIn(sql))
  return isTorn && [mine.left, mine.right].flatMap(factsIn).every((fact) => said.has(fact))
}

function sidesOf(text: string): Sides {
  const unix = withUnixLines(text) ?? ''
  return splitSides(unix) ?? { left: unix, right: unix }
}

function setAside({ draft, edited = null }: MigrationState): MigrationFile {
  const content = edited === null ? draft : `${draft}\n${edited}`
  return { path: migrationPaths.edited, content }
}

/**
 * Returns the start of a draft: it is made again when another branch's migrations move the base, or
 * a name is declared a rename.
 */
function startOf(base: string, { wishes, fills }: Renaming): string {
  const { made } = takeRenames(wishes, base)
  const said = [...made, ...fills]
  return hash(said.length === 0 ? base : `${base}${JSON.stringify(said)}`)
}

/** The next run finds in the draft what it was made with; a fill that nothing asks for any more is not there. */
const usedIn = (sql: string, { fills }: Renaming) => {
  const marks = readFillMarks(sql)
  return fills.filter(({ table, column }) =>
    marks.some((mark) => mark.table === table && mark.column === column),
  )
}

/** First line of `draft.prisma`; the second hash tells whether `draft.sql` is as svc wrote it. */
const markOf = (start: string, sql: string) =>
  `// The schema after draft.sql (${sql}), which starts from base.prisma (${start}).\n`

const anyMark =
  /^\/\/ The schema after draft\.sql \((\w+)\), which starts from base\.prisma \((\w+)\)\.\n/

function readMark(draftSchema: string | null) {
  const text = withUnixLines(draftSchema)
  const [mark = '', sql, start] = anyMark.exec(text ?? '') ?? []
  if (text === null || sql === undefined || start === undefined) return null
  return { sql, start, text: text.slice(mark.length) }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** A checkout or an editor on Windows may have others, and a byte order mark. */
const withUnixLines = (text: string | null) => (text === null ? null : plain(text))

/** Until something is saved, the manifest may still name another database. */
function planLock(database: Database, { lock, saved }: MigrationState): readonly MigrationFile[] {
  const content = lockText(database)
  const isRight = saved.length > 0 || plain(lock ?? '') === content
  return isRight ? [] : [{ path: migrationPaths.lock, content }]
}

/** The words of Prisma's own file, which its CLI checks. */
const lockText = (database: Database) =>
  `# Please do not edit this file manually
# It should be added in your version-control system (e.g., Git)
provider = "${database}"
`

/** Reviewers read them first. They are part of the file, and so of its checksum. */
function withWarnings(sql: string, losses: Losses): string {
  const warnings = describeLosses(losses).map((text) => `${warningMark}${text}\n`)
  return warnings.length === 0 ? sql : `${warnings.join('')}\n${sql}`
}

const warningMark = '-- Careful: '

/** The sentences at the head of a migration. */
export function readWarnings(sql: string): readonly string[] {
  const lines = sql.split('\n').filter((line) => line.startsWith(warningMark))
  return lines.map((line) => line.slice(warningMark.length))
}

/**
 * Returns the losses between the saved migrations and the draft, whatever the draft itself says.
 */
export async function lossesOf(
  context: MigrationContext,
  { base, draftSchema }: MigrationState,
  renaming: Renaming,
): Promise<Losses> {
  const from = withUnixLines(base)
  const to = withoutMark(withUnixLines(draftSchema) ?? '')
  if (from === null || to === '') return noLosses
  const files = [
    { path: migrationPaths.base, content: from },
    { path: migrationPaths.draftSchema, content: to },
  ] as const
  const { diffRenamed } = await import('./diff/renaming-diff.js')
  const checked = { isChecked: true } as const
  return (await diffRenamed(context, files[0], [files[1]], renaming, checked)).losses
}

/** The files that make the draft a saved migration, byte for byte, so that databases which took the draft know it again. */
export function planSave(state: MigrationState, name: string, now: Date): MigrationPlan {
  if (state.draft === null || state.draftSchema === null) {
    return { files: [], draft: null, problems: [] }
  }
  const folder = `${migrationsFolder}/${migrationName(state.saved, name, now)}`
  const files = [
    { path: `${folder}/migration.sql`, content: state.draft },
    { path: migrationPaths.base, content: withoutMark(state.draftSchema) },
    { path: migrationPaths.draft, content: null },
    { path: migrationPaths.draftSchema, content: null },
  ]
  return { files, draft: { sql: state.draft, warnings: readWarnings(state.draft) }, problems: [] }
}

/** `draft.prisma` as a datamodel of Prisma's. */
export const withoutMark = (text: string) => readMark(text)?.text ?? text

/** `20260203040506_add_summary`; later than what is saved, whatever this machine's clock says. */
export function migrationName(saved: readonly string[], name: string, now: Date): string {
  const stamp = Number(now.toISOString().replace(/\D/g, '').slice(0, 14))
  const last = Math.max(0, ...saved.map((each) => Number(/^\d{14}(?=_)/.exec(each)?.[0] ?? 0)))
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return `${Math.max(stamp, last + 1)}_${words || 'migration'}`
}

/** As git calls it: a merge puts it behind the lower marker; a rebase begins with it, and names the own commit there. */
function otherBranch(torn: string): string {
  const label = /^>{7} (.+)$/m.exec(torn)?.[1] ?? '<the other branch>'
  return /^[0-9a-f]{7,40} \(/.test(label) ? 'HEAD' : label
}

function problemsIn(database: Database, { base, lock, saved }: MigrationState): readonly Problem[] {
  const provider = /^provider\s*=\s*"(?<name>\w+)"/m.exec(lock ?? '')?.groups?.['name']
  const at = (file: string, message: string, fix: string) => [
    { file, line: 1, column: 1, message, fix },
  ]
  if (saved.length > 0 && provider !== undefined && provider !== database) {
    return at(
      migrationPaths.lock,
      `the migrations are written for '${provider}', and the manifest says '${database}'`,
      `move ${migrationsFolder} away: the next run writes the first migration for ${database}`,
    )
  }
  if (base === null && saved.length > 0) {
    return at(
      migrationPaths.base,
      `there are saved migrations, and the schema they lead to is missing`,
      `restore ${migrationPaths.base} from version control; it is committed beside the migrations`,
    )
  }
  if (/^(<{7}|={7}|>{7})/m.test(base ?? '')) {
    const other = otherBranch(base ?? '')
    return at(
      migrationPaths.base,
      'a merge left its markers here',
      `take the other branch's migrations, and save your change behind them: git checkout ${other} -- ${migrationPaths.base}, ` +
        `delete the folders of ${migrationsFolder} that ${other} does not have, run svc generate, and svc migrate save <name>. ` +
        'Recreate a development database that has applied them',
    )
  }
  return []
}
