import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkout } from '../cli/project.js'
import { fill } from '../write/folder.js'

const folder = join(checkout, 'fixtures/regenerate')

export const stories = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

export const storyPath = (story: string, path: string) => join(folder, story, path)

/** Puts the manifest of `before` or `after` in the project; `after` holds only what changed. */
export function turnTo(story: string, time: 'before' | 'after', root: string): void {
  cpSync(storyPath(story, time), root, { recursive: true })
}

export interface Edit {
  readonly path: string
  readonly from: string
  /** Null: the file is deleted. */
  readonly to: string | null
}

/**
 * What the developer of a story does, one paragraph per place:
 *
 *     app/Models.ts
 *     - the lines that are there
 *     + the lines that replace them
 *
 * or `delete <path>`.
 */
export function editsOf(story: string): readonly Edit[] {
  const path = storyPath(story, 'edits.txt')
  if (!existsSync(path)) return []
  const paragraphs = readFileSync(path, 'utf8').trim().split(/\n\n+/)
  return paragraphs.map((paragraph) => {
    const [head = '', ...lines] = paragraph.split('\n')
    if (head.startsWith('delete '))
      return { path: head.slice('delete '.length), from: '', to: null }
    const side = (mark: string) =>
      lines
        .filter((line) => line.startsWith(mark))
        .map((line) => line.slice(2))
        .join('\n')
    return { path: head, from: side('-'), to: side('+') }
  })
}

export function perform(edits: readonly Edit[], root: string): void {
  for (const { path, from, to } of edits) {
    if (to === null) {
      rmSync(join(root, path))
      continue
    }
    const text = readFileSync(join(root, path), 'utf8')
    if (!text.includes(from)) throw new Error(`${path} has no such lines:\n${from}`)
    fill(root, { [path]: text.replace(from, to) })
  }
}
