import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Project } from './project.js'
import type { DraftFile, TakenDraft } from './taken-draft.js'

/** Returns true if a database has the draft of the project. */
export function isSame(
  { runtime }: Project,
  taken: TakenDraft | null,
  file: DraftFile | null,
): boolean {
  if (taken === null || file === null) return taken === null && file === null
  return (
    runtime.hasChecksum(file.sql, taken.checksum) && isSameSchema(taken.datamodel, file.datamodel)
  )
}

/** The schema that the saved migrations lead to. */
export function readSaved(folder: string): string | null {
  const path = join(folder, 'base.prisma')
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

/**
 * Text is text to a database, whatever a field takes for it: drafts of one SQL may differ in what their values mean. What
 * is not known is the same.
 */
export function isSameSchema(taken: string, now: string | null): boolean {
  return taken === '' || now === null || now === '' || withoutMark(taken) === withoutMark(now)
}

const withoutMark = (text: string) =>
  text.replaceAll('\r\n', '\n').replace(/^\/\/ The schema after draft\.sql .*\n/, '')
