import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ended, notOutliving } from '../../../../commands/children.js'
import { packageFolder } from '../../../../source/package-files.js'
import { type RuntimeForm } from '../../../../write/base/lock-file.js'

/** The tests of a project, on its policies as they are mutated in memory. */
export interface Weak {
  readonly root: string
  /** svc's own folder in the project: no part of it is committed. */
  readonly folder: string
  readonly texts: ReadonlyMap<string, string>
  readonly config: string | null
  readonly form: RuntimeForm
}

const configName = 'vitest.config.mjs'

/** The project's own set-up, which finds the mutated files where it looks for the others. */
export function writeConfig({ root, folder, texts, config, form }: Weak): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.gitignore'), '*\n')
  const real = realpathSync(root)
  const byPath = [...texts].map(([file, code]) => [join(real, file).replaceAll('\\', '/'), code])
  writeFileSync(join(folder, 'texts.json'), JSON.stringify(byPath))
  const own = config === null ? '{}' : 'given'
  const from = config === null ? '' : `import given from ${JSON.stringify(join(root, config))}\n`
  const said = {
    root,
    tests: `${join(real, 'tests').replaceAll('\\', '/')}/`,
    texts: join(folder, 'texts.json'),
    borrowed: form === 'own' ? packageFolder('.') : null,
  }
  writeFileSync(join(folder, configName), `${from}const own = ${own}\n${plugin(said)}`)
}

const plugin = (said: object) => `
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
const { root, tests, texts, borrowed } = ${JSON.stringify(said)}
const weak = new Map(JSON.parse(readFileSync(texts, 'utf8')))
const matrix = '#runtime/testing/authorization/authorization.js'
const isMatrix = process.env.SVC_MUTATION !== undefined
// A runtime of the project's own has not the code that mutates: svc brings it.
const found = (path) => [root, borrowed].map((each) => join(each, path)).find((each) => existsSync(each))
const mutation = {
  name: 'svc-mutation',
  enforce: 'pre',
  resolveId(source, importer) {
    if (borrowed === null) return null
    const asked = source.replace(/\\.js$/, '.ts')
    if (asked.startsWith('#runtime/')) return found(asked.slice(1)) ?? null
    const from = importer?.startsWith(borrowed) && asked.startsWith('.')
    return from ? (found(join(importer, '..', asked).slice(borrowed.length)) ?? null) : null
  },
  load: (id) => weak.get(id.split('?')[0]) ?? null,
  transform: (code, id) =>
    isMatrix && id.startsWith(tests)
      ? { code: code.replaceAll(matrix, '#runtime/testing/mutation/mutation.js'), map: null }
      : null,
}
const settings = typeof own === 'function' ? await own({ command: 'serve', mode: 'test' }) : await own
export default { ...settings, root, plugins: [mutation, ...(settings.plugins ?? [])] }
`

export interface Ran {
  readonly code: number
  readonly output: string
}

/** Runs the project's Vitest, which writes nothing: what differs fails. */
export async function runVitest(
  { root, folder }: Pick<Weak, 'root' | 'folder'>,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  interrupt: AbortSignal,
): Promise<Ran> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const line = [vitest, ...words, '--config', join(folder, configName), '--root', root]
  const { SVC_MUTATION: _, ...inherited } = process.env
  const env = { ...inherited, NODE_ENV: 'test', CI: '1', NO_COLOR: '1', ...environment }
  const detached = process.platform !== 'win32'
  const child = notOutliving(
    spawn(process.execPath, line, { cwd: root, env, detached, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  const end = () => endAll(child)
  interrupt.addEventListener('abort', end)
  if (interrupt.aborted) end()
  const read = (stream: ChildProcess['stdout']) => (stream === null ? '' : text(stream))
  const [code, out, errors] = await Promise.all([
    ended(child),
    read(child.stdout),
    read(child.stderr),
  ])
  interrupt.removeEventListener('abort', end)
  return { code, output: out + errors }
}

/** With the processes of its own, which run the tests. */
function endAll(child: ChildProcess): void {
  if (process.platform === 'win32' || child.pid === undefined) return void child.kill()
  try {
    process.kill(-child.pid, 'SIGTERM')
  } catch {
    // It has ended already.
  }
}
