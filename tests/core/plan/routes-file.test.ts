import { expect, test } from 'vitest'
import { editRoutes } from '../../../generator/plan/compare/routes-file.js'

const base = `import { Hono } from 'hono'
import { svcResources } from '#app/Http/resources.js'

export const api = new Hono()

svcResources(api)
`
const today = base
  .replace('import { svcR', "import { svcAuth } from '#app/Http/auth.js'\nimport { svcR")
  .replace('svcResources(api)', 'svcAuth(api)\nsvcResources(api)')

const mine = base.replace(
  'svcResources(api)\n',
  "// Before anything else.\napi.get('/mine', (c) => c.text('mine'))\n\nsvcResources(api)\n\napi.get('/last', (c) => c.text('last'))\n",
)

test('adds what is new, keeps what is mine, and does nothing twice', async () => {
  const once = await editRoutes(mine, base, today)
  expect(once).toContain("import { svcAuth } from '#app/Http/auth.js'\n")
  expect(once?.match(/svcAuth\(api\)/g)).toHaveLength(1)
  for (const line of mine.split('\n')) expect(once).toContain(line)
  expect(await editRoutes(once ?? '', base, today)).toBe(once)
  expect(await editRoutes(once ?? '', today, today)).toBe(once)
})

test('takes away what is no longer wanted', async () => {
  const once = (await editRoutes(mine, base, today)) ?? ''
  const back = await editRoutes(once, today, base)
  expect(back).not.toContain('svcAuth')
  for (const line of mine.split('\n')) expect(back).toContain(line)
})

test('what the developer took away stays away, and a call with other arguments is the call', async () => {
  const without = mine.replace('svcResources(api)\n', '')
  expect(await editRoutes(without, base, today)).not.toContain('svcResources(api)')
  const own = mine.replace(
    'svcResources(api)',
    "svcAuth(api, { prefix: '/me' })\nsvcResources(api)",
  )
  expect((await editRoutes(own, base, today))?.match(/svcAuth\(/g)).toHaveLength(1)
})

test('a file that cannot be read is left to the merge', async () => {
  expect(await editRoutes('export const = (', base, today)).toBeNull()
})

test('a comment of mine stays where a call and an import go', async () => {
  const commented = today
    .replace("auth.js'\n", "auth.js' // MINE import\n")
    .replace('svcAuth(api)\n', '// MINE above\nsvcAuth(api) // MINE beside\n// MINE below\n')
  const back = await editRoutes(commented, today, base)
  expect(back).not.toContain('svcAuth')
  for (const mine of ['import', 'above', 'beside', 'below'])
    expect(back).toContain(`// MINE ${mine}`)
})

test('a comment above a call stays above it', async () => {
  const commented = base.replace('svcResources(api)\n', '// MINE\nsvcResources(api)\n')
  expect(await editRoutes(commented, base, today)).toContain(
    'svcAuth(api)\n// MINE\nsvcResources(api)\n',
  )
})

test('statements on one line stay readable', async () => {
  const line = `import { Hono } from 'hono'; import { svcResources } from '#app/Http/resources.js'; export const api = new Hono(); svcResources(api); api.get('/', x)\n`
  const edited = await editRoutes(line, base, today)
  expect(edited).toContain('svcAuth(api);\nsvcResources(api); api.get')
  expect(edited).toContain("import { svcAuth } from '#app/Http/auth.js'\n")
})

test('other names of an import stay', async () => {
  const two = today.replace('{ svcAuth }', '{ svcAuth, other }')
  expect(await editRoutes(two, today, base)).toContain("import { other } from '#app/Http/auth.js'")
  const first = today.replace('{ svcAuth }', '{ other, svcAuth }')
  expect(await editRoutes(first, today, base)).toContain(
    "import { other } from '#app/Http/auth.js'",
  )
})
