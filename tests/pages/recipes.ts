/** The recipes: every file is compiled, every request made. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, onTestFinished } from 'vitest'
import { openFolder, type DatabaseName, type Project } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

const page = 'docs/recipes.md'

export async function tryRecipes(name: DatabaseName): Promise<void> {
  const outside = mkdtempSync(join(tmpdir(), 'svc-recipes-'))
  onTestFinished(() => rmSync(outside, { recursive: true }))
  const mails = join(outside, 'mail.log')
  const files = join(outside, 'files')
  const google = await openGoogle()
  Object.assign(process.env, { MAIL_LOG: mails, FILES_FOLDER: files, ...google.environment })

  const folder = await emitPages(name, page)
  if (name === 'sqlite') expect(typeCheck(folder)).toBe('')
  const project = await openFolder(folder, name)
  onTestFinished(() => project.close())
  const people = await peopleOf(project)
  await exchangePage(project, page, { ...people, ...google.words })

  // The hook mails after the answer, without anybody who waits for it.
  const mailed = () => (existsSync(mails) ? readFileSync(mails, 'utf8').match(/Subject: .*/g) : [])
  await expect.poll(mailed).toEqual(['Subject: Invoice A-1'])
  await project.insert('invoices', { number: 'A-2', total: 5, recipient: 'a@b.cd', project_id: 1 })
  const path = join(folder, 'app/Jobs/mail-invoices.ts')
  const { mailInvoices } = await import(pathToFileURL(path).href)
  await Promise.all([mailInvoices(), mailInvoices()])
  expect(mailed()).toEqual(['Subject: Invoice A-1', 'Subject: Invoice A-2'])
  expect(readdirSync(files)).toEqual([])
}

/** Four who signed up, with their teams and the one role as a seed would write them; by name, their tokens. */
async function peopleOf(project: Project): Promise<Record<string, string>> {
  const ADA = await register(project, 'Ada')
  const BEN = await register(project, 'Ben')
  const CAY = await register(project, 'Cay')
  const DEE = await register(project, 'Dee')
  await project.insert('roles', { name: 'admin' })
  await project.insert('roles', { name: 'editor' })
  await project.link('role_user', { role_id: 1, user_id: 1 })
  for (const name of ['One', 'Two']) await project.insert('teams', { name })
  for (const [id, team] of [
    [1, 1],
    [2, 1],
    [3, 2],
  ]) {
    const sql = `UPDATE users SET team_id = ${team} WHERE id = ${id} RETURNING id`
    await project.database.query({ sql, access: 'write' }, [])
  }
  return { ADA, BEN, CAY, DEE }
}

/** An issuer on this machine, and two tokens: one of its own, one that somebody else signed. */
async function openGoogle() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const other = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }]
  const server = createServer((_, answer) => answer.end(JSON.stringify({ keys })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const sign = (key: typeof privateKey) =>
    new SignJWT({ email: 'Eve@Example.com', email_verified: true, name: 'Eve' })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer('https://issuer.test')
      .setAudience('recipes')
      .setSubject('google-5')
      .setExpirationTime('5m')
      .sign(key)
  return {
    words: { GOOGLE: await sign(privateKey), FORGED: await sign(other.privateKey) },
    environment: {
      GOOGLE_CLIENT_ID: 'recipes',
      GOOGLE_ISSUER: 'https://issuer.test',
      GOOGLE_KEYS: `http://127.0.0.1:${port}/`,
    },
  }
}
