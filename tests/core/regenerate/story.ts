import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkout } from '../cli/project.js'
import { fill } from '../write/folder.js'

const folder = join(checkout, 'fixtures/regenerate')

export function storyPath(story: string, path: string): string {
  return join(folder, story, path)
}

/** Those of one developer: `two-branches-merged` has one folder per branch instead of `after`. */
export const stories = readdirSync(folder).filter((story) => existsSync(storyPath(story, 'after')))

/** Puts the manifest of `before`, `after` or a branch in the project; all but `before` hold only what changed. */
export function turnTo(story: string, time: string, root: string): void {
  cpSync(storyPath(story, join(time, 'manifest')), join(root, 'manifest'), { recursive: true })
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
export function editsOf(story: string, branch = '.'): readonly Edit[] {
  const path = storyPath(story, join(branch, 'edits.txt'))
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

/** The report, without the numbers of files, which say more about svc than about the story. */
export const report = (out: string) => out.replace(/^(Done|Nothing written): .*\n/, '$1.\n')
