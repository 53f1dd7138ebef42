import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { databaseScript } from '../../../generator/commands/database/database-script.js'
import { fill } from '../write/folder.js'
import { checkout, linkDependencies, plainProject, svc } from './project.js'

/** Packages that the script leaves to Node, by the names it imports them by. */
const importsOf = (script: string) =>
  new Set([...script.matchAll(/^import .*? from "([^"]+)";$/gm)].map(([, name = '']) => name))

test('the process beside a database loads few modules, and those of the project where they are others', async () => {
  vi.stubEnv('DATABASE_URL', 'file:storage/test.sqlite')
  vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', '1')
  const root = await plainProject()
  linkDependencies(root)
  const few = importsOf(await databaseScript(root))
  expect([...few].filter((name) => /svckit-runtime|^kysely$|^zod$/.test(name))).toEqual([])
  const packed = [...few].filter((name) => name.includes('/dist/libraries/'))
  expect(packed.map((name) => name.replace(/.*\//, '')).toSorted()).toEqual([
    'kysely.mjs',
    'zod.mjs',
  ])

  // As a package manager lays them out that gives each package its own.
  const modules = join(root, 'node_modules')
  rmSync(modules)
  mkdirSync(modules)
  for (const name of readdirSync(join(checkout, 'node_modules'))) {
    symlinkSync(join(checkout, 'node_modules', name), join(modules, name), 'junction')
  }
  const replace = (name: string, from: string) => {
    rmSync(join(modules, name))
    cpSync(from, join(modules, name), { recursive: true })
  }
  replace('svckit-runtime', join(checkout, 'dist/svckit-runtime'))
  expect([...importsOf(await databaseScript(root))].toSorted()).toEqual([...few].toSorted())
  const own = join(modules, 'svckit-runtime/node_modules/lru-cache')
  cpSync(join(checkout, 'node_modules/lru-cache'), own, { recursive: true })
  expect(importsOf(await databaseScript(root))).toContain('svckit-runtime/database/sqlite/open.js')
  expect(await svc(root, 'migrate', 'status')).toMatchObject({ code: 0 })
  rmSync(own, { recursive: true })

  const kysely = join(modules, 'kysely')
  replace('kysely', join(checkout, 'node_modules/kysely'))
  writeFileSync(join(kysely, 'package.json'), JSON.stringify({ name: 'kysely', version: '0.0.1' }))
  expect(importsOf(await databaseScript(root))).toContain('svckit-runtime/database/sqlite/open.js')
})

test('the script follows the files that it is made of', async () => {
  vi.stubEnv('SVC_SKIP_PRISMA_CLIENT', '1')
  const root = await plainProject()
  linkDependencies(root)
  const before = await databaseScript(root)
  fill(root, { 'app/Models.ts': `${read(root, 'app/Models.ts')}// Of no matter.\n` })
  expect(await databaseScript(root)).toBe(before)
  fill(root, { 'app/database.ts': `${read(root, 'app/database.ts')}console.log('mine')\n` })
  expect(await databaseScript(root)).toContain('console.log("mine")')
  rmSync(join(root, 'app/database.ts'))
  await expect(databaseScript(root)).rejects.toThrow('app/database.ts')
})

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')
