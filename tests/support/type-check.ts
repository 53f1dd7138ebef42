import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Of tsconfig.json, what svckit is not needed for; and what needs no client of Prisma's either. */
const parts = {
  '.': { exclude: ['app/prisma.ts', 'tests/values.test.ts', 'manifest.ts'] },
  prisma: { exclude: ['manifest.ts'] },
} as const

const folders = ['app', 'config', 'routes', 'runtime', 'tests', '*.ts']

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/**
 * What `tsc` prints in a project that emits nothing; empty when there is nothing wrong. `.` is the server
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
function run(cwd: string, project: keyof typeof parts, ...more: readonly string[]) {
  const config = join(cwd, 'tsconfig.tests.json')
  const include = project === 'prisma' ? [...folders, 'prisma/*.ts'] : folders
  writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', include, ...parts[project] }))
  const words = [tsc, '-p', config, '--pretty', 'false', '--checkers', '1', ...more]
  const done = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' })
  rmSync(config)
  return done
}
