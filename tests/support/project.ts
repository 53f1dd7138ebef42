/** An emitted project in a temporary folder, on a database of its own, asked through `app.request` as a client asks. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database, Statement } from '../../runtime/database/types.js'
import type { DatabaseName } from './databases.js'
import { generateInto } from './generate.js'
import { load } from './loaded.js'
import { freshDatabase } from './postgres.js'
import { columnFor, renameColumns } from './renamed-columns.js'

export { databases, type DatabaseName } from './databases.js'
export { load } from './loaded.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** `SVC_TEST_COLUMNS=renamed`: every test of a fixture runs on columns that are called otherwise than their fields. */
const areRenamed = process.env['SVC_TEST_COLUMNS'] === 'renamed'

const ownerFolders = ['manifest', 'app', 'prisma']

export interface Answer {
  status: number
  headers: Headers
  // Tests look into answers freely; a wrong path is a failing test.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  /** SQL statements sent for this request, the token's included. */
  statements: Statement[]
}

export interface Project {
  readonly folder: string
  readonly name: DatabaseName
  readonly database: Database
  /** Makes a user with a token that `as` takes. */
  user(name: string, columns?: Record<string, unknown>): Promise<number>
  /** Writes a row straight into a table of the manifest, with both timestamps, and gives its key. */
  insert(table: string, row: Record<string, unknown>): Promise<number>
  /** Writes a row of a pivot table, which has no timestamps. */
  link(table: string, row: Record<string, unknown>): Promise<void>
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  /** The server as `fetch` sees it; `bindings` are Node's own request and answer. */
  fetch(request: Request, bindings?: unknown): Promise<Response>
  /** The token of a user made here. */
  token(user: number): string
  get(path: string, as?: number): Promise<Answer>
  post(path: string, body: unknown, as?: number): Promise<Answer>
  put(path: string, body: unknown, as?: number): Promise<Answer>
  patch(path: string, body: unknown, as?: number): Promise<Answer>
  delete(path: string, as?: number): Promise<Answer>
  close(): Promise<void>
}

export interface RequestOptions {
  as?: number | undefined
  body?: string
  headers?: Record<string, string>
  /** Both ends of a connection; without, there is none. */
  socket?: { remoteAddress: string; localAddress?: string }
}

/** By path: what becomes of a text of the developer's. */
export type Edits = Readonly<Record<string, ((text: string) => string) | undefined>>

/** For many requests at once, or large ones: on a busy machine a transaction may be open for longer than by default. */
export const longTransactions = {
  'config/svc.ts': (text: string) =>
    text.replace('transaction_ms: 5_000', 'transaction_ms: 60_000'),
}

/** Emits `fixtures/<fixture>` for the database and opens it, migrated and empty. */
export async function openProject(
  fixture: string,
  name: DatabaseName,
  edits: Edits = {},
  environment: 'test' | 'development' | 'production' = 'test',
  locale?: string,
): Promise<Project> {
  return openFolder(await emitFixture(fixture, name, edits), name, environment, locale)
}

/** The folder of what `fixtures/<fixture>` emits for the database. */
export async function emitFixture(
  fixture: string,
  name: DatabaseName,
  edits: Edits = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `svc-${fixture.replace('/', '-')}-`))
  await copyFixture(fixture, folder, name)
  await linkModules(folder)
  const isEdited = await applyEdits(folder, edits, /^(manifest|app)/)
  if (areRenamed) await renameColumns(folder)
  // The server does without Prisma's client; a test that asks it makes it.
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  await (isEdited ? generateInto(folder) : generateOnce(folder, `${fixture} ${name}`))
  if (await applyEdits(folder, edits, /^config/)) await generateInto(folder)
  return folder
}

/** Folders with what svc makes of a fixture that nobody edited, each made once in a process. */
const emitted = new Map<string, string>()
process.once('exit', () =>
  emitted.forEach((folder) => rmSync(folder, { recursive: true, force: true })),
)

async function generateOnce(folder: string, key: string): Promise<void> {
  const known = emitted.get(key)
  if (known !== undefined) return cpSync(known, folder, { recursive: true })
  await generateInto(folder)
  const kept = await mkdtemp(join(tmpdir(), 'svc-emitted-'))
  // Each has a link to the packages.
  cpSync(folder, kept, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  emitted.set(key, kept)
}

export const linkModules = (folder: string) =>
  symlink(join(root, 'node_modules'), join(folder, 'node_modules'))

/** Opens a project that is emitted, on a new database that is migrated and empty. */
export async function openFolder(
  folder: string,
  name: DatabaseName,
  environment = 'test',
  locale?: string,
): Promise<Project> {
  const url = name === 'sqlite' ? fileIn(folder) : await freshDatabase(locale)
  return openOn(url, folder, name, environment)
}

/** Of SQLite, where `openFolder` has its database. */
export const fileIn = (folder: string): string => `file:${join(folder, 'test.sqlite')}`

/** Opens a project that is emitted, on a database of its own, which is migrated. */
export async function openOn(
  url: string,
  folder: string,
  name: DatabaseName,
  environment = 'test',
): Promise<Project> {
  process.env['DATABASE_URL'] = url
  process.env['NODE_ENV'] = environment
  process.env['LOG_LEVEL'] ??= 'silent'
  const { createApp } = await load(folder, 'app/app.ts')
  const { database } = await load(folder, 'app/database.ts')
  const { migrate } = await load(folder, 'runtime/database/migrations/migrate.ts')
  await migrate(database, { folder: join(folder, 'prisma/migrations'), draft: 'run' })
  return project(folder, name, createApp(), database)
}

async function copyFixture(fixture: string, folder: string, name: DatabaseName): Promise<void> {
  const from = join(root, 'fixtures', fixture)
  for (const part of ownerFolders) {
    await cp(join(from, part), join(folder, part), { recursive: true }).catch(ignoreMissing)
  }
  const index = join(folder, 'manifest/index.ts')
  const text = await readFile(index, 'utf8')
  await writeFile(index, text.replace(/database: '\w+'/, `database: '${name}'`))
}

async function applyEdits(folder: string, edits: Edits, paths: RegExp): Promise<boolean> {
  const wanted = Object.entries(edits).filter(
    ([path, edit]) => paths.test(path) && edit !== undefined,
  )
  for (const [path, edit = String] of wanted) {
    const file = join(folder, path)
    await writeFile(file, edit(await readFile(file, 'utf8')))
  }
  return wanted.length > 0
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

interface App {
  fetch(request: Request, bindings?: unknown): Response | Promise<Response>
  request(path: string, init: RequestInit, bindings?: unknown): Response | Promise<Response>
}

function project(folder: string, name: DatabaseName, app: App, database: Database): Project {
  const tokens = new Map<number, string>()

  async function insert(table: string, row: Record<string, unknown>): Promise<number> {
    const now = new Date().toISOString()
    return write(table, { created_at: now, updated_at: now, ...row })
  }

  const hasOtherNames = existsSync(join(folder, 'manifest/columns.ts'))

  async function write(table: string, given: Record<string, unknown>): Promise<number> {
    const row = hasOtherNames ? await underTheirNames(table, given) : given
    const columns = Object.keys(row)
    const places = columns.map((_, index) => (name === 'sqlite' ? '?' : `$${index + 1}`))
    const sql = `insert into "${table}" (${columns.map((c) => `"${c}"`).join(', ')}) values (${places.join(', ')}) returning *`
    const parameters = Object.values(row).map((value) => stored(value, name))
    const [made] = await database.query({ sql, access: 'write' }, parameters)
    return Number(made?.[0])
  }

  async function underTheirNames(table: string, row: Record<string, unknown>) {
    const sql =
      name === 'sqlite'
        ? `select name from pragma_table_info('${table}')`
        : `select column_name from information_schema.columns where table_name = '${table}'`
    const found = (await database.query({ sql, access: 'read' }, [])).map(([column]) => column)
    const nameOf = (field: string) => (found.includes(field) ? field : columnFor(field))
    return Object.fromEntries(Object.entries(row).map(([field, value]) => [nameOf(field), value]))
  }

  async function user(label: string, columns: Record<string, unknown> = {}): Promise<number> {
    const email = `${label.toLowerCase().replaceAll(' ', '.')}@example.test`
    const id = await insert('users', {
      name: label,
      email,
      password: '-',
      is_admin: false,
      ...columns,
    })
    const secret = hash(`${label}${id}`).slice(0, 40)
    const now = new Date().toISOString()
    const [made] = await database.query(
      {
        sql: `insert into personal_access_tokens (user_id, name, token, created_at, last_used_at) values (${name === 'sqlite' ? '?, ?, ?, ?, ?' : '$1, $2, $3, $4, $5'}) returning id`,
        access: 'write',
      },
      [id, 'test', hash(secret), stored(now, name), stored(now, name)],
    )
    tokens.set(id, `${Number(made?.[0])}|${secret}`)
    return id
  }

  async function request(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const statements: Statement[] = []
    const stop = database.observe((statement) => {
      statements.push(statement)
    })
    const headers: Record<string, string> = { accept: 'application/json', ...options.headers }
    if (options.as !== undefined) headers['authorization'] = `Bearer ${tokens.get(options.as)}`
    try {
      const init = {
        method,
        headers,
        ...(options.body === undefined ? {} : { body: options.body }),
      }
      const { socket } = options
      const response = await app.request(path, init, socket && { incoming: { socket } })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: parse(text), statements }
    } finally {
      stop()
    }
  }

  const send = (method: string) => (path: string, body: unknown, as?: number) =>
    request(method, path, {
      as,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })

  return {
    folder,
    name,
    database,
    user,
    insert,
    link: async (table, row) => {
      await write(table, row)
    },
    request,
    fetch: async (request, bindings) => app.fetch(request, bindings),
    token: (id) => tokens.get(id) ?? '',
    get: (path, as) => request('GET', path, { as }),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: (path, as) => request('DELETE', path, { as }),
    close: async () => {
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function parse(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

const isoDate = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** What the driver wants of a value: SQLite keeps dates as `+00:00` text and booleans as 0 and 1. */
function stored(value: unknown, name: DatabaseName) {
  if (name === 'sqlite' && typeof value === 'boolean') return value ? 1 : 0
  if (name === 'sqlite' && typeof value === 'string' && isoDate.test(value)) {
    return value.replace('Z', '+00:00')
  }
  // Booleans reach PostgreSQL as text, which it casts.
  return typeof value === 'boolean' ? String(value) : (value as string | number | null)
}
