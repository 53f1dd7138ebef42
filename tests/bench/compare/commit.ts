import { execFileSync } from 'node:child_process'
import { root } from '../blog.js'
import type { Conditions } from './results.js'

/** The commit that is checked out, and whether files differ from it; null: this is no checkout of git. */
export function measuredCommit(): string | null {
  try {
    const git = (...line: string[]) =>
      execFileSync('git', line, {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    const commit = git('rev-parse', '--short=12', 'HEAD').trim()
    return git('status', '--porcelain') === '' ? commit : `${commit} with changes`
  } catch {
    return null
  }
}

/** Behind the command of a run, and its day. */
export const ofCommit = ({ commit }: Conditions): string =>
  commit === undefined ? '' : `, of commit ${commit.replace(/^\w+/, '`$&`')}`
