import { execFile } from 'node:child_process'
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cases, root } from '../plan/fixture.js'
import { emit } from './emit.js'
import { unusedExports } from './unused-exports.js'

const run = promisify(execFile)
const tsc = join(root, 'node_modules/typescript/bin/tsc')

describe.each(cases)('$fixture on $database', ({ fixture, database }) => {
  let folder = ''
  beforeAll(async () => void (folder = await emit(fixture, database)))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('type-checks', async () => {
    // tsc writes what it finds to stdout and fails.
    const found = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error)
    expect(found.stdout).toBe('')
  })

  test('exports nothing that nobody uses', () => {
    expect(unusedExports(textsIn(folder))).toEqual([])
  })

  test('imports nothing from svckit', () => {
    for (const [path, text] of textsIn(folder)) expect(text, path).not.toContain("from 'svckit")
  })
})

/** Source files of the server by path; `runtime/` is a library and `manifest/` is not the server's. */
function textsIn(folder: string): ReadonlyMap<string, string> {
  const own = ['app', 'config', 'prisma', 'routes', 'tests'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(part, path)),
  )
  return new Map(own.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}
