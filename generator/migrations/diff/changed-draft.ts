import type { MigrationContext } from '../keepers/kept.js'
import { PrismaSchemaError } from '../schema/schema-error.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { changedPart } from './changed-part.js'
import { buildSql } from './engine.js'

/** A draft that builds a database from nothing, and the schema that it leads to. */
export interface KnownDraft {
  readonly sql: string
  readonly schema: SchemaFile
}

/**
 * The draft after a change of a model or two: the SQL of these is replaced in the draft that is there. Of 1,000 models Prisma's
 * engine takes a third of a run. Null: it is not certain that all models together would say the same.
 */
export async function changedDraft(
  context: MigrationContext,
  known: KnownDraft,
  to: readonly SchemaFile[],
): Promise<string | null> {
  const part = changedPart(known.schema, to)
  if (part === null) return null
  try {
    const [before, after] = [
      await buildSql(context, [part.from]),
      await buildSql(context, [part.to]),
    ]
    return replaced(blocksIn(known.sql), hunksBetween(blocksIn(before), blocksIn(after)))
  } catch (error) {
    // Lines are counted in the whole of it.
    if (error instanceof PrismaSchemaError) return null
    throw error
  }
}

/** Statements with the comments above them. */
const blocksIn = (sql: string): readonly string[] => sql.trimEnd().split('\n\n')

interface Hunk {
  readonly removed: readonly string[]
  readonly added: readonly string[]
  /** Text that is the same on both sides, before and after it. */
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** Blocks are in the order of their tables on both sides, so what comes next on both sides ends a hunk. */
function hunksBetween(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = []
  const [left, right] = [new Set(before), new Set(after)]
  let [at, to] = [0, 0]
  while (at < before.length || to < after.length) {
    if (before[at] === after[to]) {
      at += 1
      to += 1
      continue
    }
    const [start, first] = [at, to]
    while (at < before.length && !right.has(before[at] ?? '')) at += 1
    while (to < after.length && !left.has(after[to] ?? '')) to += 1
    // The two sides have the same blocks in another order.
    if (at === start && to === first) return [{ ...unplaced, removed: before, added: after }]
    hunks.push({
      removed: before.slice(start, at),
      added: after.slice(first, to),
      previous: before[start - 1],
      next: before[at],
    })
  }
  return hunks
}

const unplaced = { previous: undefined, next: undefined }

function replaced(draft: readonly string[], hunks: readonly Hunk[]): string | null {
  const blocks = [...draft]
  for (const hunk of hunks) {
    const place = placeOf(hunk, blocks)
    if (place === null) return null
    blocks.splice(place, hunk.removed.length, ...hunk.added)
  }
  const isOnce = (name: string) => blocks.filter((each) => each.includes(name)).length === 1
  // Two tables may not have an index of one name: the engine says which they are.
  const names = hunks.flatMap(({ added }) => added.flatMap(indexesIn))
  return names.every(isOnce) ? `${blocks.join('\n\n')}\n` : null
}

const indexesIn = (block: string) =>
  [...block.matchAll(/\b(?:INDEX|CONSTRAINT|TRIGGER) ("[^"]+")/g)].map(([, name = '']) => name)

/** Finds the place of a hunk among all blocks; null: that is not certain. */
function placeOf({ removed, added, previous, next }: Hunk, blocks: readonly string[]) {
  const kinds = new Set([...removed, ...added].map(kindOf))
  const [first] = removed
  if (kinds.size !== 1) return null
  if (first !== undefined) {
    const place = only(blocks, first)
    const isWhole = removed.every((each, index) => blocks[(place ?? 0) + index] === each)
    return isWhole ? place : null
  }
  const [kind] = kinds
  if (previous !== undefined && kindOf(previous) === kind) return after(only(blocks, previous))
  return next !== undefined && kindOf(next) === kind ? only(blocks, next) : null
}

const after = (place: number | null) => (place === null ? null : place + 1)

function only(blocks: readonly string[], block: string): number | null {
  const place = blocks.indexOf(block)
  return place === -1 || blocks.includes(block, place + 1) ? null : place
}

/** Returns the kind and the table of a statement: statements of one kind are together. */
function kindOf(block: string): string {
  const [comment = ''] = block.split('\n', 1)
  const [, table = block] = /\b(?:TABLE|ON) "([^"]+)"/.exec(block) ?? []
  return `${comment} ${table}`
}
