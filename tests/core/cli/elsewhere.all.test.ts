/** The first hour of a project that lies outside the checkout, with nothing but the packages that it asks for. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsIn } from '../../pages/shell.js'
import { freshDatabase } from '../../support/postgres.js'
import { freePort } from './dev.js'
import { installStrictly, linkedSvckit, modulesAbove, packedSvckit, setInEnv } from './elsewhere.js'
import { project } from './installed.js'
import { emptyFolder } from './project.js'

const kinds = [
  ['a checkout', 'sqlite', linkedSvckit],
  ['a tarball', 'postgresql', packedSvckit],
] as const

test.each(kinds)(
  'a project of %s follows what svc new says is next, on %s',
  async (_, database, svckitIn) => {
    const home = emptyFolder()
    const svckit = svckitIn(home)
    const words = ['new', 'shop', `--database=${database}`]
    const said = execFileSync(process.execPath, [join(svckit, 'dist/cli.js'), ...words], {
      cwd: home,
      encoding: 'utf8',
    })
    const [, next = '', page = ''] =
      /\nNext:\n((?: {2}.+\n)+)\nThen open http:\/\/127\.0\.0\.1:3000(\S+) and sign in as ada@example\.com with the password 'password'\./.exec(
        said,
      ) ?? []
    const root = join(home, 'shop')
    expect(modulesAbove(root)).toEqual([])
    const shop = project(root, 'npm')
    const port = String(await freePort())
    let origin = ''
    for (const command of commandsIn(next)) {
      const [, line] = /^npx --no svc (.+)$/.exec(command) ?? []
      const [, script] = /^npm run (.+)$/.exec(command) ?? []
      if (command === 'cd shop') continue
      if (command === 'npm install') installStrictly(root, svckit)
      else if (command.startsWith('cp .env.example .env ')) {
        execFileSync('cp', ['.env.example', '.env'], { cwd: root })
        setInEnv(root, 'DATABASE_URL', await freshDatabase())
      } else if (line === 'dev') ({ origin } = await shop.serve(['svc', 'dev'], { PORT: port }))
      else if (line !== undefined) await shop.svc(...line.split(' '))
      else if (script !== undefined) await shop.script(script)
      else throw new Error(`The test does not know '${command}'`)
    }
    expect((await fetch(`${origin}${page}`)).status).toBe(200)
    const signIn = await fetch(`${origin}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'password' }),
    })
    expect(signIn.status).toBe(200)
    const [, token = ''] = /"token":"([^"]+)"/.exec(await signIn.text()) ?? []
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const posts = `${origin}/api/svc/posts`
    const body = JSON.stringify({ title: 'First', body: 'Hello' })
    expect((await fetch(posts, { method: 'POST', headers, body })).status).toBe(201)
    expect(await (await fetch(posts, { headers })).json()).toMatchObject({ meta: { total: 1 } })

    // Each of these evaluates code of svc's in a process of the project. The commands above went through npx.
    const says = (code: number, ...line: readonly string[]) =>
      shop.ending(code, [process.execPath, join(svckit, 'dist/cli.js'), ...line])
    await says(0, 'migrate', 'save', 'init')
    expect(await says(0, 'migrate', 'status')).toContain('init')
    expect(await says(2, 'doctor', '--production')).toContain('The environment is wrong')
    expect(await says(0, 'why', 'users', '1', 'ada@example.com')).toContain('Yes')
  },
)
