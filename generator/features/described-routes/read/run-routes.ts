import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Database } from '../../../blueprint/types.js'
import { projectScript, WrongCode } from '../../../load/project-script.js'
import { borrowedRuntime } from '../../../write/project/borrowed-runtime.js'
import { fewerModules } from '../../../write/project/fewer-modules.js'
import { runtimeForm } from '../../../write/project/runtime-form.js'
import type { Target } from '../../../write/target.js'
import type { Data } from '../../openapi/facts.js'
import { isData, readOwn } from '../../openapi/own.js'
import { dataIn } from '../../openapi/print.js'

type Answer =
  | { readonly said: Data; readonly wrong: readonly Data[] }
  | { readonly problem: string }

/**
 * What the routes of a project say: they are code of its own, so a process of their own runs them, on no database. Schemas
 * are made by functions and imported from anywhere, so no reading of the text would do.
 */
export async function routesRun(target: Target, database: Database): Promise<Answer> {
  try {
    const isOwn = runtimeForm(target) === 'own'
    const plugins = [...(isOwn ? [borrowedRuntime(target.root)] : []), ...fewerModules(target)]
    return await answerOf(target.root, await projectScript(target.root, script, plugins), database)
  } catch (error) {
    if (error instanceof WrongCode) return { problem: error.message }
    throw error
  }
}

const describing = 'runtime/features/described-routes/described-paths'

// The answer has its own channel, apart from the project's output.
const script = `
import { writeSync } from 'node:fs'
await import('#runtime/failures.js')
const { describedPaths } = await import('#${describing}.js')
const { api } = await import('./routes/api.ts')
const bytes = Buffer.from(JSON.stringify(describedPaths(api, '/api')))
for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at)
process.exit(0)
`

/** The routes open nothing and log nothing while they are asked. */
const environment = (database: Database) => ({
  ...process.env,
  NODE_ENV: 'development',
  LOG_LEVEL: 'silent',
  DATABASE_URL: database === 'sqlite' ? ':memory:' : 'postgresql://nobody@127.0.0.1:1/none',
})

/** A module that waits for something at its top would wait for ever. */
const longestMs = 20_000

async function answerOf(root: string, input: string, database: Database): Promise<Answer> {
  const child = spawn(process.execPath, ['--enable-source-maps', '--input-type=module', '-'], {
    cwd: root,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    env: environment(database),
    timeout: longestMs,
    killSignal: 'SIGKILL',
  })
  child.stdin?.on('error', () => {}).end(input)
  const [said, errors] = await Promise.all([
    text(child.stdio[3] as Readable), // as `stdio` above has it
    child.stderr === null ? '' : text(child.stderr),
    child.exitCode ?? once(child, 'close'),
  ])
  const answer = said === '' ? '' : readOwn(said)
  if (typeof answer === 'string') return { problem: reasonIn(errors) }
  const { said: described, wrong } = answer
  return { said: dataIn(described), wrong: Array.isArray(wrong) ? wrong.filter(isData) : [] }
}

/** Returns the error of a stack, or the whole text of a wrong set-up. */
function reasonIn(errors: string): string {
  const lines = errors.split('\n').map((line) => line.trimEnd())
  const thrown = lines.find((line) => /^\w*(?:Error|Exception)\b.*:/.test(line))
  const said = lines.filter((line) => line !== '' && !/^\s+at |^Node\.js v/.test(line))
  return thrown ?? (said.slice(0, 4).join('\n') || 'its code did not come to an end')
}
