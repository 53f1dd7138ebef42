import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { instantiationsOf, printed, problemsOf } from './compiler.js'

/** Of tsconfig.json, what svckit is not needed for; and what needs no client of Prisma's either. */
const parts = {
  '.': { exclude: ['app/prisma.ts', 'tests/values.test.ts', 'manifest.ts'] },
  prisma: { exclude: ['manifest.ts'] },
} as const

type Part = keyof typeof parts

const folders = ['app', 'config', 'routes', 'runtime', 'tests', '*.ts']

/**
 * What `tsc` prints in a project that emits nothing; empty when there is nothing wrong. `.` is the server
 * without Prisma's client, `prisma` all of it, as `npm run typecheck` has it.
 */
export const typeCheck = (folder: string, part: Part = '.'): string =>
  printed(withConfig(folder, part, problemsOf))

/** How many types are made on the way. */
export const instantiations = (folder: string): number =>
  withConfig(folder, 'prisma', instantiationsOf)

let checks = 0

function withConfig<Result>(folder: string, part: Part, check: (config: string) => Result): Result {
  // A project that is known already would have the files that it had.
  checks += 1
  const config = join(folder, `tsconfig.tests-${checks}.json`)
  const include = part === 'prisma' ? [...folders, 'prisma/*.ts'] : folders
  writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', include, ...parts[part] }))
  const result = check(config)
  rmSync(config)
  return result
}
