import { isEdited, readWarnings } from '../../migrations/migrations.js'
import { readMigrationState } from '../../write/migrations/migration-state.js'
import { targetAt } from '../../write/target.js'
import { exitCodes } from '../failure.js'
import type { DatabaseStatus } from './drafts/status.js'
import { askStatus } from './project-database.js'

export interface StatusReport {
  readonly lines: readonly string[]
  readonly json: object
  readonly exitCode: number
}

/** Folder and database side by side, and the way out where they contradict each other. */
export async function migrationStatus(root: string): Promise<StatusReport> {
  const target = targetAt(root)
  const state = readMigrationState(target)
  const status = await askStatus(root)
  const draft =
    state.draft === null
      ? null
      : {
          edited: isEdited(state),
          warnings: readWarnings(state.draft),
          taken: status.draft !== null,
        }
  const lines = [...migrationLines(status), ...draftLines(draft), ...wayOut(status)]
  const exitCode = status.drift.length === 0 ? exitCodes.done : exitCodes.problems
  const { applied, pending, ahead, drift } = status
  return { lines, json: { applied, pending, ahead, drift, draft }, exitCode }
}

interface DraftStatus {
  readonly edited: boolean
  readonly warnings: readonly string[]
  readonly taken: boolean
}

function migrationLines({
  past,
  applied,
  pending,
  ahead,
  drift,
}: DatabaseStatus): readonly string[] {
  const kinds = new Map(drift.map(({ migration, kind }) => [migration, kind]))
  const lines = [
    ...past.map((name) => ['before', name]),
    ...applied.map((name) => [
      kinds.get(name) ?? (ahead.includes(name) ? 'ahead' : 'applied'),
      name,
    ]),
    ...pending.map((name) => ['pending', name]),
  ]
  if (lines.length === 0) return ['No migrations yet.']
  return lines.map(([word = '', name]) => `${word.padEnd(8)} ${name}`)
}

function draftLines(draft: DraftStatus | null): readonly string[] {
  if (draft === null) return []
  const edited = draft.edited ? ', edited by hand' : ''
  const where = draft.taken ? 'this database has a draft' : 'not in this database'
  return [
    `draft    draft.sql (${where}${edited}; \`svc migrate save <name>\` dates it)`,
    ...draft.warnings.map((text) => `           ${text}`),
  ]
}

const wayOut = ({ drift }: DatabaseStatus): readonly string[] =>
  drift.length === 0 ? [] : ['', ...drift.map(({ text }) => text)]
