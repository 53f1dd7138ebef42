/**
 * `svc migrate` and others start a process that loads the project, for a question or two: starting Node and loading the
 * packages anew were most of what their tests cost. Here one process stays, and runs the scripts one after another.
 */
import childProcess, { type ChildProcess, type SpawnOptions } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

const program = fileURLToPath(new URL('resident-process.mjs', import.meta.url))
const { spawn } = childProcess

/** A script stays in the memory of the process. */
const mostScripts = 50

interface Resident {
  readonly child: ChildProcess
  scripts: number
  isBusy: boolean
}

let resident: Resident | null = null

/** For the tests of a file that are not about the processes which svc starts. */
export function scriptsShareAProcess(): void {
  beforeAll(() => replaceSpawn(spawnOrAsk as typeof spawn))
  afterAll(() => replaceSpawn(spawn))
}

function replaceSpawn(by: typeof spawn): void {
  childProcess.spawn = by
  syncBuiltinESMExports()
}

function endResident(): void {
  resident?.child.disconnect()
  resident = null
}

function spawnOrAsk(command: string, line: readonly string[], options: SpawnOptions): ChildProcess {
  const isScript = line.at(-1) === '-' && options.stdio?.includes('ipc') === true
  if (!isScript || resident?.isBusy === true) return spawn(command, line, options)
  if (resident !== null && resident.scripts >= mostScripts) endResident()
  resident ??= startResident()
  resident.scripts += 1
  // What `withProcess` uses of one.
  return new Script(resident, options) as unknown as ChildProcess
}

function startResident(): Resident {
  const child = spawn(process.execPath, ['--enable-source-maps', program], {
    stdio: ['ignore', 2, 'pipe', 'ipc'],
  })
  // It stays for the next file of tests, and ends with the process of the tests.
  child.unref()
  child.channel?.unref()
  const started: Resident = { child, scripts: 0, isBusy: false }
  child.once('exit', () => {
    if (resident === started) resident = null
  })
  return started
}

/** A script of a project, as `withProcess` sees the process that runs it. */
class Script extends EventEmitter {
  readonly stdin: Writable
  readonly stderr = new PassThrough()
  exitCode: number | null = null
  signalCode: NodeJS.Signals | null = null
  connected = true
  readonly #resident: Resident

  constructor(on: Resident, options: SpawnOptions) {
    super()
    this.#resident = on
    on.isBusy = true
    let text = ''
    this.stdin = new Writable({
      write: (chunk, _, next) => {
        text += String(chunk)
        next()
      },
      final: (next) => {
        this.#start(text, options)
        next()
      },
    })
    const { child } = on
    child.stderr?.on('data', this.#onErrors)
    child.on('message', this.#onMessage).on('close', this.#onEnd)
  }

  send(value: unknown): void {
    this.#order({ kind: 'message', value })
  }

  disconnect(): void {
    this.connected = false
    this.#order({ kind: 'disconnect' })
  }

  kill(signal: NodeJS.Signals): boolean {
    return this.#resident.child.kill(signal)
  }

  #start(text: string, { cwd, env }: SpawnOptions): void {
    // It finds the packages of the folder that it lies in, and is removed once it is loaded.
    const file = join(String(cwd), `.script-${process.pid}-${this.#resident.scripts}.mjs`)
    writeFileSync(file, text)
    this.#order({ kind: 'run', cwd, env, file })
  }

  #order(order: object): void {
    if (this.#resident.child.connected) this.#resident.child.send(order, () => {})
  }

  readonly #onErrors = (chunk: Buffer) => void this.stderr.write(chunk)

  readonly #onMessage = (message: {
    readonly kind: 'message' | 'over'
    readonly value: unknown
  }) => {
    if (message.kind === 'message') this.emit('message', message.value)
    else this.#onEnd(0, null)
  }

  readonly #onEnd = (code: number | null, signal: NodeJS.Signals | null) => {
    const { child } = this.#resident
    child.stderr?.off('data', this.#onErrors)
    child.off('message', this.#onMessage).off('close', this.#onEnd)
    this.#resident.isBusy = false
    this.connected = false
    this.exitCode = code
    this.signalCode = signal
    this.stderr.end()
    this.emit('exit', code, signal)
  }
}
