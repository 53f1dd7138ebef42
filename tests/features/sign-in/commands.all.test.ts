import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { emptyFolder, linkDependencies, newProject, svc } from '../../core/cli/project.js'
import { run } from '../../core/compile/run.js'
import { fillBase } from '../../core/write/base.js'
import { typeCheck } from '../../support/type-check.js'

beforeAll(() => void (process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'))

const all = [
  'register',
  'login',
  'forgotPassword',
  'resetPassword',
  'verifyEmail',
  'logout',
  'profile',
  'tokens',
  'changePassword',
]

/** What `svcAuth` is left with. */
const listing = (actions: readonly string[]) =>
  `svcAuth(api, {\n  actions: [\n${actions.map((name) => `    '${name}',\n`).join('')}  ],\n})`

/** A project of `svc new`, in which people sign in. */
const installed = () => newProject()

const at = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')
const routes = (folder: string) => at(folder, 'routes/api.ts')

function texts(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/.svc/journal'))
  return Object.fromEntries(
    files.map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  )
}

function isWellTyped(folder: string): void {
  // Not before: with them, svc would compile what the developer wrote after each change.
  linkDependencies(folder)
  expect(typeCheck(folder)).toBe('')
  rmSync(join(folder, 'node_modules'))
}

describe('svc auth', () => {
  test('publishes some, lists the rest, and undo takes it back', async () => {
    const folder = await installed()
    const before = texts(folder)
    const { code, out } = await svc(folder, 'auth', '--actions=login,register')
    expect(code, out).toBe(0)
    expect(readdirSync(join(folder, 'app/Http/Controllers/Svc')).toSorted()).toEqual([
      'LoginController.ts',
      'RegisterController.ts',
    ])
    expect(readdirSync(join(folder, 'app/Notifications'))).toEqual(['VerifyEmailNotification.ts'])
    expect(routes(folder))
      .toBe(`// Yours and svc's: svc adds what is missing and leaves the rest alone.

import { Hono } from 'hono'
import { svcAuth } from '#app/Http/auth.js'
import { RegisterController } from '#app/Http/Controllers/Svc/RegisterController.js'
import { LoginController } from '#app/Http/Controllers/Svc/LoginController.js'
import { svcResources } from '#app/Http/resources.js'
import type { AppEnv } from '#app/Models.js'

/**
 * Everything under /api. Routes of your own go here; one for a signed-in user says so, with
 * \`middleware\` of #app/Http/middleware.js:
 *
 *     api.use('/whoami', ...middleware(['auth:token']))
 *     api.get('/whoami', (c) => c.json({ id: c.get('user')?.id }))
 */
export const api = new Hono<AppEnv>()

svcAuth(api, {
  actions: [
    'forgotPassword',
    'resetPassword',
    'verifyEmail',
    'logout',
    'profile',
    'tokens',
    'changePassword',
  ],
})
api.route('/register', RegisterController)
api.route('/login', LoginController)
svcResources(api)
`)
    isWellTyped(folder)
    const again = texts(folder)
    expect((await svc(folder, 'svc:auth', '--actions=login,register')).out).toContain(
      'Nothing to publish',
    )
    expect(texts(folder)).toEqual(again)
    expect((await svc(folder, 'generate', '--check')).code).toBe(0)
    expect((await svc(folder, 'undo')).code).toBe(0)
    expect(texts(folder)).toEqual(before)
  })

  test('copies what runs, imports moved and nothing else', async () => {
    const folder = await installed()
    const running = 'app/Http/Controllers/Auth/ForgotPasswordController.ts'
    writeFileSync(join(folder, running), `${at(folder, running)}\n// mine\n`)
    const mail = at(folder, 'app/Mail/ForgotPasswordNotification.ts')
    await svc(folder, 'auth', '--actions=forgotPassword')
    const copy = at(folder, 'app/Http/Controllers/Svc/ForgotPasswordController.ts')
    const body = (text: string) => text.slice(text.indexOf('\n'))
    const moved = at(folder, running).replace('/Mail/Forgot', '/Notifications/Forgot')
    // The import of the mail is elsewhere in the order of names.
    const lines = (text: string) => body(text).split('\n').toSorted()
    expect(lines(copy)).toEqual(lines(moved))
    expect(body(at(folder, 'app/Notifications/ForgotPasswordNotification.ts'))).toBe(body(mail))
  })

  test('a published mail is sent by the controllers that were not published as well', async () => {
    const folder = await installed()
    const own = 'app/Mail/VerifyEmailNotification.ts'
    const mine = 'app/Notifications/VerifyEmailNotification.ts'
    const before = at(folder, own)
    await svc(folder, 'auth', '--actions=register')
    const sent = async () => {
      const script = `import { VerifyEmailNotification } from './${own.replace('.ts', '.js')}'
console.log(VerifyEmailNotification({ email: 'a@b.test', link: 'x' }).subject)`
      writeFileSync(join(folder, 'send.mts'), script)
      linkDependencies(folder)
      const { output } = await run('tsx', ['send.mts'], folder)
      rmSync(join(folder, 'send.mts'))
      rmSync(join(folder, 'node_modules'))
      return output.trim()
    }
    expect(await sent()).toBe('Verify your e-mail address')
    writeFileSync(join(folder, mine), at(folder, mine).replace('Verify your', 'Hello, verify your'))
    expect((await svc(folder, 'generate', '--check')).code).toBe(0)
    expect(await sent()).toBe('Hello, verify your e-mail address')
    expect(at(folder, 'app/Http/Controllers/Auth/ProfileController.ts')).toContain(own.slice(4, -3))
    rmSync(join(folder, mine))
    expect((await svc(folder, 'generate')).code).toBe(0)
    expect(at(folder, own)).toBe(before)
  })

  test('publishes all, then nothing; and more later, directly or after reverting', async () => {
    const folder = await installed()
    await svc(folder, 'auth', '--actions=login')
    await svc(folder, 'auth', '--actions=register')
    expect(routes(folder)).toContain(listing(all.slice(2)))
    const listed = /svcAuth\(api, \{[^}]*\}\)/
    writeFileSync(join(folder, 'routes/api.ts'), routes(folder).replace(listed, 'svcAuth(api)'))
    await svc(folder, 'auth', '--actions=tokens')
    const rest = all.filter((name) => !['login', 'register', 'tokens'].includes(name))
    expect(routes(folder)).toContain(listing(rest))
    expect((await svc(folder, 'auth')).code).toBe(0)
    expect(routes(folder)).toContain('svcAuth(api, {\n  actions: [],\n})')
    expect(readdirSync(join(folder, 'app/Http/Controllers/Svc')).length).toBe(9)
    expect(readdirSync(join(folder, 'app/Notifications')).length).toBe(2)
    isWellTyped(folder)
  })

  test('what is published is never written again, and reported when svc would write it differently', async () => {
    const folder = await installed()
    await svc(folder, 'auth', '--actions=login')
    const path = 'app/Http/Controllers/Svc/LoginController.ts'
    const old = at(folder, path).replace('/** POST /api/login */', '/** An older text. */')
    writeFileSync(join(folder, path), old)
    fillBase(folder, { [path]: old })
    const { code, out } = await svc(folder, 'generate')
    expect(code).toBe(0)
    expect(out).toContain(`${path}  (yours; svc would write it differently now:`)
    expect(at(folder, path)).toBe(old)
    await svc(folder, 'auth', '--actions=login')
    expect(at(folder, path)).toBe(old)
    expect((await svc(folder, 'generate', '--force')).code).toBe(0)
    expect(at(folder, path)).toBe(old)
  })

  test('a published route that loses what guards or counts it does not compile', async () => {
    const folder = await installed()
    expect((await svc(folder, 'auth', '--actions=login,logout')).code).toBe(0)
    const edit = (name: string, from: string) => {
      const path = join(folder, `app/Http/Controllers/Svc/${name}Controller.ts`)
      const before = readFileSync(path, 'utf8')
      expect(before).toContain(from)
      writeFileSync(path, before.replace(from, ''))
    }
    edit('Login', "\n  auth.throttledForm('login'),")
    edit('Logout', '.use(signedIn)')
    linkDependencies(folder)
    const wrong = typeCheck(folder)
    expect(wrong).toMatch(
      /Svc\/LoginController\.ts\(\d+,\d+\): error .*No overload matches this call\./,
    )
    expect(wrong).toMatch(/Svc\/LogoutController\.ts\(\d+,\d+\): error .*is possibly 'null'/)
  })

  test('keeps comments, semicolons, quotes and line endings', async () => {
    const folder = await installed()
    const mine = `import { Hono } from "hono";
import type { AppEnv } from "#app/Models.js";
import { svcAuth } from "#app/Http/auth.js"; // signing in
import { svcResources } from "#app/Http/resources.js";

export const api = new Hono<AppEnv>();

/* before */ svcAuth(
  api, // the routes
); // after
api.get("/mine",   (c) => c.text("mine"));
svcResources(api);
`.replaceAll('\n', '\r\n')
    writeFileSync(join(folder, 'routes/api.ts'), mine)
    expect((await svc(folder, 'auth', '--actions=logout')).code).toBe(0)
    const edited = routes(folder)
    expect(edited.replaceAll('\r\n', '')).not.toContain('\n')
    const rest = all.filter((name) => name !== 'logout').map((name) => `    "${name}",\r\n`)
    const restored = edited
      .replace(
        '\r\nimport { LogoutController } from "#app/Http/Controllers/Svc/LogoutController.js";',
        '',
      )
      .replace(`, {\r\n  actions: [\r\n${rest.join('')}  ],\r\n}`, '')
      .replace('\r\napi.route("/logout", LogoutController);', '')
    expect(restored).toBe(mine)
    isWellTyped(folder)
  })

  test.each([
    ['in a condition', 'if (true) svcAuth(api)'],
    ['with a list from elsewhere', "const actions = ['login'] as const\nsvcAuth(api, { actions })"],
    ['twice', 'svcAuth(api)\nsvcAuth(api)'],
    ['in a list', '[svcAuth].forEach((register) => register(api))'],
  ])('changes nothing when it is called %s, and prints the lines', async (_, statement) => {
    const folder = await installed()
    writeFileSync(join(folder, 'routes/api.ts'), routes(folder).replace('svcAuth(api)', statement))
    const before = texts(folder)
    const { code, out } = await svc(folder, 'auth', '--actions=login')
    expect(code).toBe(1)
    expect(out).toContain(
      "import { LoginController } from '#app/Http/Controllers/Svc/LoginController.js'",
    )
    expect(out).toContain("api.route('/login', LoginController)")
    expect(texts(folder)).toEqual(before)
  })

  test('the lines to paste leave what was published earlier where it is', async () => {
    const folder = await installed()
    await svc(folder, 'auth', '--actions=login')
    const odd = routes(folder).replace(/svcAuth\(api[^)]*\)/, (call) => `if (true) ${call}`)
    writeFileSync(join(folder, 'routes/api.ts'), odd)
    const { out } = await svc(folder, 'auth', '--actions=logout')
    const rest = all.filter((name) => name !== 'login' && name !== 'logout')
    expect(out).toContain(listing(rest).replaceAll('\n', '\n  '))
    expect(out).toContain("api.route('/login', LoginController)")
  })

  test('an action that does not exist is named', async () => {
    const { code, errors } = await svc(emptyFolder(), 'auth', '--actions=login,signin')
    expect(code).toBe(1)
    expect(errors).toContain("There is no action 'signin'")
  })
})

describe('svc setup-auth', () => {
  const posts = `import { repository, text } from 'svckit'

/** What people write. */
export const posts = repository({ fields: { title: text().max(160) } })
`
  const index = (more = '') => `import { defineManifest } from 'svckit'
import { posts } from './posts.js'
${more}
// All there is.
export default defineManifest({
  database: 'sqlite',
  repositories: { posts }, // more to come
})
`

  async function withoutAuth(files: Record<string, string>): Promise<string> {
    const folder = emptyFolder()
    mkdirSync(join(folder, 'manifest'))
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, 'manifest', name), text)
    expect((await svc(folder, 'generate')).code).toBe(0)
    return folder
  }

  test('gives a project without users everything, and undo takes it back', async () => {
    const folder = await withoutAuth({ 'index.ts': index(), 'posts.ts': posts })
    const before = texts(folder)
    expect(routes(folder)).not.toContain('svcAuth')
    const { code, out } = await svc(folder, 'svc:setup-auth')
    expect(code, out).toBe(0)
    expect(routes(folder)).toContain('svcAuth(api)\nsvcResources(api)')
    expect(at(folder, 'config/svc.ts')).toContain("middleware: ['api', 'auth:token']")
    expect(at(folder, 'manifest/index.ts')).toContain('// more to come')
    expect(at(folder, 'prisma/schema/svc.prisma')).toContain('model PasswordReset')
    isWellTyped(folder)
    const set = texts(folder)
    expect((await svc(folder, 'setup-auth')).out).toContain('People sign in here already')
    expect(texts(folder)).toEqual(set)
    expect((await svc(folder, 'undo')).code).toBe(0)
    expect(texts(folder)).toEqual(before)
  })

  test('gives users who cannot sign in what they lack', async () => {
    const users = `import { repository, text } from 'svckit'

export const users = repository({
  fields: {
    name: text(), // as written
  },
})
`
    const folder = await withoutAuth({
      'index.ts': index("import { users } from './users.js'\n").replace(
        'repositories: { posts }',
        'repositories: { posts, users }',
      ),
      'posts.ts': posts,
      'users.ts': users,
    })
    const { code, out } = await svc(folder, 'setup-auth')
    expect(code, out).toBe(0)
    expect(at(folder, 'manifest/users.ts'))
      .toBe(`import { repository, text, email, password } from 'svckit'

export const users = repository({
  fields: {
    name: text(), // as written
    email: email().unique(),
    password: password(),
  },
})
`)
    isWellTyped(folder)
  })

  test('puts the line into routes that lost it', async () => {
    const folder = await installed()
    const text = routes(folder)
    const without = text
      .replace("import { svcAuth } from '#app/Http/auth.js'\n", '')
      .replace('svcAuth(api)\n', '')
    writeFileSync(join(folder, 'routes/api.ts'), without)
    expect((await svc(folder, 'setup-auth')).code).toBe(0)
    expect(routes(folder)).toBe(text)
  })

  test.each([
    ['out of the file', (text: string) => text.replace('svcAuth(api)\n', '// svcAuth(api)\n')],
    [
      'behind a word',
      (text: string) => text.replace('svcAuth(api)\n', '/* later: svcAuth(api) */\n'),
    ],
  ])('a line that was commented %s registers nobody, so it is put back', async (_, change) => {
    const folder = await installed()
    const text = change(routes(folder))
    writeFileSync(join(folder, 'routes/api.ts'), text)
    const { code, out } = await svc(folder, 'setup-auth')
    expect(code, out).toBe(0)
    expect(out).toContain('Registered the routes of signing in')
    expect(routes(folder)).toBe(
      text.replace('\nsvcResources(api)', '\nsvcAuth(api)\nsvcResources(api)'),
    )
    expect((await svc(folder, 'setup-auth')).out).toContain('People sign in here already')
  })

  test('changes nothing in a project of an svc that is too old, and says what to upgrade', async () => {
    const folder = await withoutAuth({ 'index.ts': index(), 'posts.ts': posts })
    const lock = join(folder, 'svc.lock.json')
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/"svc": "[^"]*"/, '"svc": "9.4.0"'))
    const before = texts(folder)
    const { code, errors } = await svc(folder, 'setup-auth')
    expect(code).toBe(1)
    expect(errors).toContain('npm install --save-dev svckit@10')
    expect(texts(folder)).toEqual(before)
  })

  test('changes nothing in a manifest of another shape, and prints the lines', async () => {
    const folder = await withoutAuth({
      'index.ts': index().replace(
        'repositories: { posts }',
        'repositories: Object.fromEntries([["posts", posts]])',
      ),
      'posts.ts': posts,
    })
    const before = texts(folder)
    const { code, out } = await svc(folder, 'setup-auth')
    expect(code).toBe(1)
    expect(out).toContain('email: email().unique()')
    expect(texts(folder)).toEqual(before)
    expect(existsSync(join(folder, 'manifest/users.ts'))).toBe(false)
    rmSync(folder, { recursive: true })
  })
})

test('svc routes lists what signing in answers', async () => {
  const { out } = await svc(await installed(), 'routes', '--json')
  const paths = JSON.parse(out).map(
    ({ method, path }: Record<string, string>) => `${method} ${path}`,
  )
  expect(paths.slice(0, 13)).toEqual([
    'POST /api/register',
    'POST /api/login',
    'POST /api/svc/forgotPassword',
    'POST /api/svc/resetPassword',
    'POST /api/svc/verify/:id/:emailHash',
    'POST /api/svc/verify',
    'POST /api/logout',
    'GET /api/svc/profile',
    'PUT /api/svc/profile',
    'PATCH /api/svc/profile',
    'GET /api/tokens',
    'DELETE /api/tokens/:id',
    'PUT /api/password',
  ])
})
