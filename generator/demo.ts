import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from './blueprint/refusal.js'
import { firstPage } from './commands/change/dev/pages.js'
import { generate } from './commands/change/generate-project.js'
import { finish } from './commands/change/rest.js'
import { ended, npm, runScript, startServer, stop, untilEnd } from './commands/children.js'
import { migrateProject } from './commands/database/migrate-project.js'
import { reportFinished, reportGenerated } from './commands/report/report.js'
import { features } from './features/index.js'
import { hasDependencies } from './write/project/installed.js'
import { createProject, exampleTexts } from './write/project/new-project.js'
import { at, targetAt, type Target } from './write/target.js'

const [, , folder = fileURLToPath(new URL('../../demo', import.meta.url))] = process.argv
const root = resolve(folder)
const { HOST = '127.0.0.1', PORT = '3000' } = process.env

const say = (...lines: readonly string[]) => {
  for (const line of lines) process.stdout.write(`${line}\n`)
}

/** `npm run demo`: the blog in `demo/`, or in the folder named, running. Starting again keeps its rows and the edits in it. */
async function runDemo(): Promise<number> {
  const target = targetAt(root)
  await emit(target)
  await install(target)
  if (!(await migrateProject({ root, features, say, acceptDataLoss: false }))) return 1
  const token = await seed()
  const over = untilEnd()
  const server = startServer(root, { ...process.env, HOST, PORT })
  const gone = ended(server)
  if (await answers()) say(...welcome(token))
  const code = await Promise.race([over.then(() => 0), gone])
  await stop(server)
  return code
}

async function emit(target: Target): Promise<void> {
  const isMade = target.files.read(at(target, 'manifest/index.ts')) !== null
  if (!isMade) await createProject(target, exampleTexts('blog'))
  const how = {
    features,
    conflicts: 'stop',
    force: false,
    isWriting: true,
    wantsClient: true,
  } as const
  const outcome = await generate(root, how)
  const isColored = process.stdout.isTTY
  const report = reportGenerated(outcome, { isChecking: false, isWriting: true, isColored })
  if (report.exitCode !== 0) throw new Refusal(report.lines.join('\n'))
  const last = reportFinished(await finish(outcome))
  if (last.exitCode !== 0) throw new Refusal(last.lines.join('\n'))
  say(`The blog is in ${root}`)
}

/** The checkout's own dependencies serve, when they are the ones the blog asks for. */
async function install(target: Target): Promise<void> {
  if (hasDependencies(target)) return linkCommand()
  say('Installing what the blog needs …')
  const code = await npm(root, ['install', '--no-audit', '--no-fund'])
  if (code !== 0) throw new Refusal('npm install failed in demo/.')
}

/** So that `npx --no svc` in the demo is this one, and none of a registry. */
function linkCommand(): void {
  const link = join(root, 'node_modules/.bin/svc')
  // Windows wants another kind of file.
  if (process.platform === 'win32' || existsSync(link)) return
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(fileURLToPath(new URL('../cli.js', import.meta.url)), link)
}

/** The seed makes what is missing, and each time a token. */
async function seed(): Promise<string> {
  const { code, text, errors } = await runScript(root, 'seed')
  const token = /Bearer (\S+)/.exec(text)?.[1]
  if (code !== 0 || token === undefined) throw new Refusal(`The seed failed.\n${text}${errors}`)
  return token
}

const base = () => `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`

/** Waits until the server answers; false when it does not within half a minute. */
async function answers(): Promise<boolean> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const isUp = await fetch(`${base()}/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return false
}

function welcome(token: string): readonly string[] {
  const curl = `curl -H 'Accept: application/json' -H 'Authorization: Bearer ${token}'`
  return [
    '',
    'Open this to see its data, change it, and try requests (signed in as Ada for a week):',
    '',
    // A browser keeps what is behind # to itself; the page takes it out of the address.
    `${base()}${firstPage(features)}#token=${encodeURIComponent(token)}`,
    '',
    `The blog is served at ${base()}. Three requests to try:`,
    '',
    `${curl} '${base()}/api/svc/posts?include=owner,comments&perPage=2'`,
    '',
    `${curl} '${base()}/api/svc/posts?search=query&sort=-published_at'`,
    '',
    `${curl} -H 'Content-Type: application/json' -d '{"title":"Hello","published_at":"2026-01-01T00:00:00Z"}' '${base()}/api/svc/posts'`,
    '',
    'Ctrl-C ends it. Rows and edits are kept.',
  ]
}

try {
  process.exitCode = await runDemo()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
