import { describe, expect, test } from 'vitest'
import { registerAuth, routePublished } from '../../../generator/features/sign-in/edit-routes.js'

const others = [
  'register',
  'forgotPassword',
  'resetPassword',
  'verifyEmail',
  'logout',
  'profile',
  'tokens',
  'changePassword',
]
const lines = others.map((name) => `    '${name}',\n`).join('')
const listed = `svcAuth(api, {\n  actions: [\n${lines}  ],\n})`

const imported = "import { LoginController } from '#app/Http/Controllers/Svc/LoginController.js'\n"

const file = (statements: string, imports = '') => `import { Hono } from 'hono'
import { svcAuth } from '#app/Http/auth.js'
${imports}import { svcResources } from '#app/Http/resources.js'

export const api = new Hono()

${statements}
svcResources(api)
`

/** What it was before the login was published, and after. */
const published = [
  [
    'plain',
    file('svcAuth(api)'),
    file(`${listed}\napi.route('/login', LoginController)`, imported),
  ],
  [
    'after a byte order mark',
    `\uFEFF${file("svcAuth(api, { actions: ['login'] })")}`,
    `\uFEFF${file("svcAuth(api, { actions: [] })\napi.route('/login', LoginController)", imported)}`,
  ],
  [
    'with comments in the list',
    file(
      "svcAuth(api, {\n  // only these\n  actions: [\n    'login', // keep\n    'logout',\n  ],\n})",
    ),
    file(
      "svcAuth(api, {\n  // only these\n  actions: [\n    // keep\n    'logout',\n  ],\n})\napi.route('/login', LoginController)",
      imported,
    ),
  ],
  [
    'with a line for each',
    file("svcAuth(api, {\n  actions: [\n    'logout',\n    'login',\n  ],\n})"),
    file(
      "svcAuth(api, {\n  actions: [\n    'logout',\n  ],\n})\napi.route('/login', LoginController)",
      imported,
    ),
  ],
  [
    'with nothing else to list',
    file("svcAuth(api, {\n  actions: [\n    'login',\n  ],\n})"),
    file("svcAuth(api, {\n  actions: [],\n})\napi.route('/login', LoginController)", imported),
  ],
  [
    'with the copy at another path too: the usual one goes on answering',
    file("svcAuth(api)\napi.route('/v2/login', LoginController)", imported),
    file(
      `${listed}\napi.route('/login', LoginController)\napi.route('/v2/login', LoginController)`,
      imported,
    ),
  ],
  [
    'with the copy mentioned only',
    file('svcAuth(api)\nconsole.log(LoginController)', imported),
    file(`${listed}\napi.route('/login', LoginController)\nconsole.log(LoginController)`, imported),
  ],
  [
    'with the copy under another name',
    file('svcAuth(api)', imported.replace('{ LoginController }', '{ LoginController as Login }')),
    file(
      `${listed}\napi.route('/login', Login)`,
      imported.replace('{ LoginController }', '{ LoginController as Login }'),
    ),
  ],
]

describe('routes/api.ts with its login published', () => {
  test.each(published)('%s', (_, before, after) => {
    expect(routePublished(before, ['login'])).toBe(after)
    expect(routePublished(after, ['login'])).toBe(after)
  })

  test.each([
    ['a function', file('function LoginController() {}\nsvcAuth(api)')],
    ['a class', file('class LoginController {}\nsvcAuth(api)')],
    ['a default import', file('svcAuth(api)', "import LoginController from './mine.js'\n")],
    ['a namespace', file('svcAuth(api)', "import * as LoginController from './mine.js'\n")],
    ['a type', file('svcAuth(api)', imported.replace('import {', 'import type {'))],
    ['the copy that svc runs', file('svcAuth(api)', imported.replace('/Svc/', '/Auth/'))],
  ])('is not edited when %s has the name', (_, before) => {
    expect(routePublished(before, ['login'])).toBeNull()
  })

  test('is not edited when it does not parse', () => {
    expect(routePublished(file('svcAuth(api)\nconst x = {'), ['login'])).toBeNull()
    expect(registerAuth(file('const x = {').replace(/.*svcAuth.*\n/, ''))).toBeNull()
  })
})

test('signing in is put behind a byte order mark as well', () => {
  const before = `\uFEFF${file('').replace(/.*svcAuth.*\n/, '')}`
  expect(registerAuth(before)).toBe(
    before
      .replace('import { svcR', "import { svcAuth } from '#app/Http/auth.js'\nimport { svcR")
      .replace('svcResources(api)', 'svcAuth(api)\nsvcResources(api)'),
  )
})
