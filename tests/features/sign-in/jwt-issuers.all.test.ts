import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { jwtProvider } from '../../../runtime/features/sign-in/jwt.js'
import { toldOn } from '../../support/databases.js'
import { generateInto } from '../../support/generate.js'
import { emitFixture, openFolder } from '../../support/project.js'
import { typeCheck } from '../../support/type-check.js'
import { usersOf } from '../../support/user-source.js'
import { configured, listen, openIssuer, profile } from './issuer.js'
import { openAuth } from './project.js'

test.each(toldOn('sqlite'))('a claim that cannot be an id is 401, on %s', async (name) => {
  const issuer = await openIssuer()
  const project = await openAuth(name, { config: configured(issuer.url, 'sub', 'id') })
  const { body } = await project.register('ada@example.test')
  for (const sub of ['abc', '9'.repeat(30), '1.5', ' ', 'a\0b', '\ud800']) {
    expect(await profile(project, await issuer.sign({ sub })), sub).toBe(401)
  }
  expect(await profile(project, await issuer.sign({ sub: String(body.id) }))).toBe(200)
  for (const sub of [`0${body.id}`, `${body.id}.0`, ` ${body.id}`, `${body.id}e0`]) {
    expect(await profile(project, await issuer.sign({ sub })), sub).toBe(401)
  }
  await project.close()
  issuer.close()
})

test('a subject that two users share is 401', async () => {
  const issuer = await openIssuer()
  const project = await openAuth('sqlite', {
    manifest: (users) =>
      users.replace(
        'password: password(),',
        'password: password(),\n    subject: text().nullable().readonly(),',
      ),
    config: configured(issuer.url, 'sub', 'subject'),
  })
  const ada = await project.user('Ada', { subject: 'one' })
  const token = await issuer.sign({ sub: 'one' })
  expect(await profile(project, token)).toBe(200)
  await project.user('Eve', { subject: 'one' })
  expect(await profile(project, token)).toBe(401)
  expect(ada).toBeGreaterThan(0)
  await project.close()
  issuer.close()
})

test.each([
  ['that people write themselves', 'name', /people write 'name' themselves/],
  ['that nobody verifies', 'email', /never verified/],
  ['that is not there', 'subject', /no column 'subject'/],
])('a column %s stops the start', async (_, column, message) => {
  const config = configured('http://127.0.0.1:1/', 'sub', column)
  await expect(openAuth('sqlite', { config })).rejects.toThrow(message)
})

test('an issuer of before the next `svc generate` stops the start, and says so', async () => {
  const folder = await emitFixture('blog', 'sqlite')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'config/svc.ts')
  writeFileSync(
    config,
    configured('http://127.0.0.1:1/', 'sub', 'id')(readFileSync(config, 'utf8')),
  )
  await expect(openFolder(folder, 'sqlite')).rejects.toThrow(
    /auth.jwt needs.*\n  fix {4}run `svc gen/,
  )
  await generateInto(folder)
  expect(typeCheck(folder)).toBe('')
})

const literalIssuer = configured('http://127.0.0.1:1/', 'sub', 'id')('jwt: null')

test.each([
  ['in a constant of one line', `const outside = { ${literalIssuer} }`, '    ...outside'],
  ['after a tab', '', `\t\t${literalIssuer}`],
  ['from another file', `import { outside } from './outside.js'`, '    ...{ jwt: outside }'],
])('an issuer %s is found by `svc generate`', async (_, before, use) => {
  const folder = await emitFixture('blog', 'sqlite')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'config/svc.ts')
  const text = readFileSync(config, 'utf8').replace('    jwt: null', use)
  writeFileSync(config, text.replace('export const config', `${before}\n\n$&`))
  await generateInto(folder)
  expect(readFileSync(join(folder, 'app/auth.ts'), 'utf8')).toContain('findByJwt')
})

test('an issuer without keys is 503, and the log says why, once', async () => {
  const issuer = await openIssuer()
  const broken = await listen((_, answer) => void answer.writeHead(500).end())
  const project = await openAuth('sqlite')
  const lines: string[] = []
  const find = jwtProvider(
    {
      issuer: 'https://issuer.test',
      audience: 'blog',
      jwks_url: broken.url,
      claim: 'sub',
      column: 'id',
    },
    {
      users: usersOf(project.database, { id: 'integer' }),
      writable: [],
      log: { error: (_: unknown, line?: string) => void lines.push(line ?? '') },
    },
  )
  const token = await issuer.sign({ sub: '1' })
  await expect(find?.(token)).rejects.toThrow()
  await expect(find?.(token)).rejects.toThrow()
  expect(lines).toEqual([`auth.jwt: no keys from ${broken.url}`])
  await project.close()
  broken.close()
  issuer.close()
})
