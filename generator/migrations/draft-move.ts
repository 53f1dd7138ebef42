import { diffSql } from './diff/engine.js'
import { movedColumns } from './diff/renames.js'
import { diffRenamed } from './diff/renaming-diff.js'
import { noRenaming, type Renaming } from './diff/renaming.js'
import { wishesAfter } from './diff/taken-renames.js'
import type { MigrationContext } from './keepers/kept.js'
import type { MigrationState } from './migration-state.js'
import { diffFromSaved, isEdited, migrationPaths, withoutMark } from './migrations.js'
import type { Losses } from './rows/losses.js'
import { readNames } from './schema/datamodel.js'
import type { SchemaFile } from './schema/schema-file.js'
import { beyond, followsFromMarks, followsFromSchema, statementsOf } from './sql/own-statements.js'

/** The state of a development database. */
export interface DatabaseState {
  /** Saved migrations it has not applied. */
  readonly pending: readonly string[]
  readonly draft: {
    readonly checksum: string
    readonly datamodel: string
    /** The draft it took. */
    readonly sql: string
  } | null
}

/** The way from the draft the database has to the one in the project. */
export interface DraftMove {
  readonly step: string
  readonly draft: { readonly sql: string; readonly datamodel: string } | null
  readonly from: string | null
  readonly covers: readonly string[]
  readonly acceptDataLoss: boolean
}

export interface MoveOptions {
  readonly acceptDataLoss?: boolean
  readonly renaming?: Renaming
  /** Texts of the saved migrations that the database has not applied, in their order. */
  readonly pending?: readonly string[]
}

export interface PlannedMove {
  readonly move: DraftMove
  readonly losses: Losses
  /** Statements written by hand that this database lacks; they are the end of the step. */
  readonly byHand: readonly string[]
}

/**
 * The request that moves a development database on, and what the step would ask of its rows. A database without a draft needs
 * none: its own script applies everything. Two schemas say nothing of what was written into the SQL by hand, so that is
 * looked for, and run after the step.
 */
export async function planDraftMove(
  context: MigrationContext,
  has: DatabaseState,
  state: MigrationState,
  { acceptDataLoss = false, renaming = noRenaming, pending = [] }: MoveOptions = {},
): Promise<PlannedMove | null> {
  if (has.draft === null) return null
  const { draft, draftSchema, base } = state
  const isDraft = draft !== null && draftSchema !== null
  const path = isDraft ? migrationPaths.draftSchema : migrationPaths.base
  const target = isDraft ? draftSchema : (base ?? '')
  const from = schemaOf('the database', has.draft.datamodel)
  const to = schemaOf(path, target)
  const [start] = from
  const names = readNames(target)
  const wishes = [
    ...wishesAfter(has.draft.sql, renaming.wishes, names),
    ...movedColumns(has.draft.datamodel, target),
  ]
  // This database has run its draft, and not what was saved since.
  const applied = (renaming.history ?? []).filter((text) => !pending.includes(text))
  const history = [...applied, has.draft.sql]
  const { sql, losses } =
    start === undefined
      ? await diffSql(context, from, to)
      : await diffRenamed(context, start, to, { ...renaming, wishes, history }, { isChecked: true })
  // A table that was saved and is no more in the manifest is the schema's too.
  const known = new Map([...readNames(base ?? ''), ...names])
  const saved = pending.flatMap((text) => {
    const kept = new Set(context.keepers.flatMap(({ wroteIn }) => wroteIn(text)))
    return statementsOf(text).filter(
      (statement) =>
        !kept.has(statement) &&
        !followsFromSchema(statement, known) &&
        !followsFromMarks(statement, text),
    )
  })
  const edits = isDraft ? await editsOf(context, state, renaming) : []
  const byHand = beyond([...saved, ...edits].map(ended).join(''), has.draft.sql).map(inside)
  const move = {
    step: `${sql}${byHand.map(ended).join('')}`,
    draft: isDraft ? { sql: draft, datamodel: draftSchema } : null,
    from: has.draft.checksum,
    covers: has.pending,
    acceptDataLoss,
  }
  return { move, losses, byHand }
}

/** A step is one transaction, and a development database has no other writers to wait for. */
const inside = (statement: string) =>
  statement.replace(/^(CREATE(?: UNIQUE)? INDEX|DROP INDEX) CONCURRENTLY\b/i, '$1')

const ended = (statement: string) => `${statement};\n`

/** Reads the developer's own lines of a draft. */
async function editsOf(
  context: MigrationContext,
  state: MigrationState,
  renaming: Renaming,
): Promise<readonly string[]> {
  const { draft, draftSchema, base } = state
  if (draft === null || draftSchema === null || !isEdited(state)) return []
  const to = schemaOf(migrationPaths.draftSchema, withoutMark(draftSchema))
  const { sql } = await diffFromSaved(context, base ?? '', to, renaming)
  return beyond(draft, sql)
}

const schemaOf = (path: string, content: string): readonly SchemaFile[] =>
  content.trim() === '' ? [] : [{ path, content }]
