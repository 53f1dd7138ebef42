import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateInto } from '../../support/generate.js'
import { openFolder } from '../../support/project.js'
import { change, emit } from './emit.js'
import { run } from './run.js'

const hooks = `import { appendFileSync } from 'node:fs'
import type { HooksFor, NoteModel } from '#app/Models.js'
import { outsideTests } from '#runtime/operations/outside-tests.js'

const happened = (what: string) => appendFileSync(new URL('../../happened.txt', import.meta.url), what)

export const NoteHooks: HooksFor<NoteModel> = {
  beforeStore: () => (happened('b'), {}),
  afterStore: outsideTests((_context, note) => happened(\`[mail: \${note.text}]\`)),
}
`

test('a mail in a hook is sent by the server, and by no test of the project', async () => {
  const folder = await emit('minimal', 'sqlite', 'open')
  change(join(folder, 'manifest/index.ts'), /fields: \{/, 'hooks: true,\n  fields: {')
  change(join(folder, 'manifest/index.ts'), / openapi: false,/, '')
  mkdirSync(join(folder, 'app/Hooks'), { recursive: true })
  writeFileSync(join(folder, 'app/Hooks/NoteHooks.ts'), hooks)
  await generateInto(folder)

  // Somebody's shell says production; tests/setup.ts knows better.
  const only = ['run', 'tests/contract.test.ts']
  const { code, output } = await run('vitest', only, folder, { NODE_ENV: 'production' })
  expect(code, output).toBe(0)
  expect(happened(folder)).toMatch(/^b+$/)

  rmSync(join(folder, 'happened.txt'))
  const server = await openFolder(folder, 'sqlite', 'production')
  expect((await server.post('/api/svc/notes', { text: 'Hello' })).status).toBe(201)
  await expect.poll(() => happened(folder)).toBe('b[mail: Hello]')
  await server.close()
})

const happened = (folder: string) => {
  const path = join(folder, 'happened.txt')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
