import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { typeCheck } from '../../support/type-check.js'
import type { cases } from '../plan/fixture.js'
import { emit } from './emit.js'
import { unusedExports } from './unused-exports.js'

/** For fixtures on databases: what they emit compiles. */
export function compileAll(compiled: typeof cases): void {
  describe.each(compiled)('$fixture on $database', ({ fixture, database }) => {
    let folder = ''
    beforeAll(
      async () => void (folder = await emit(fixture, database, 'own', { wantsClient: true })),
    )
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test('type-checks under the strictest settings, the seed with the generated client too', () => {
      expect(typeCheck(folder, 'prisma')).toBe('')
    })

    test('exports nothing that nobody uses', () => {
      expect(unusedExports(textsIn(folder))).toEqual([])
    })

    test('imports nothing from svckit', () => {
      for (const [path, text] of textsIn(folder)) expect(text, path).not.toContain("from 'svckit")
    })
  })
}

/** Source files by path; `runtime/` is a library, and the client and `manifest/` are not part of the server. */
function textsIn(folder: string): ReadonlyMap<string, string> {
  const own = ['app', 'config', 'routes', 'tests'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(part, path)),
  )
  const paths = [...own, 'prisma/seed.ts']
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}
