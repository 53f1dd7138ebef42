import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/**
 * What `tsc -p <project>` prints in a project that emits nothing; empty when there is nothing wrong. `.` is the server
 * without Prisma's client, `prisma` all of it, as `npm run typecheck` has it.
 */
export function typeCheck(folder: string, project: '.' | 'prisma' = '.'): string {
  const { stdout, stderr } = run(folder, project)
  return stdout + stderr
}

/** How many types are made on the way, which the same files make on every machine; throws what is wrong with them. */
export function instantiations(folder: string): number {
  const { stdout } = run(folder, 'prisma', '--extendedDiagnostics')
  const count = /^Instantiations:\s*(\d+)$/m.exec(stdout)?.[1]
  if (count === undefined || stdout.includes(': error ')) throw new Error(stdout)
  return Number(count)
}

/** With one checker: several check the same libraries once each. */
function run(cwd: string, project: string, ...more: readonly string[]) {
  const words = [tsc, '-p', project, '--pretty', 'false', '--checkers', '1', ...more]
  return spawnSync(process.execPath, words, { cwd, encoding: 'utf8' })
}
