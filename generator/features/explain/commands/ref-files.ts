import { spawn } from 'node:child_process'
import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Plugin } from 'esbuild'
import { ended } from '../../../commands/children.js'
import { CannotAsk } from './cannot-ask.js'

/** Text by path, of `app/` as a Git ref has it; nothing is checked out. */
export type RefFiles = ReadonlyMap<string, string>

async function git(root: string, line: readonly string[], input = ''): Promise<Buffer | null> {
  const child = spawn('git', line, { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] })
  const failed = new Promise<number>((resolve) => child.once('error', () => resolve(1)))
  child.stdin.on('error', () => {}).end(input)
  const [out, code] = await Promise.all([
    buffer(child.stdout),
    Promise.race([failed, ended(child)]),
  ])
  return code === 0 ? out : null
}

export async function filesAtRef(root: string, ref: string): Promise<RefFiles> {
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  const commit = (await git(root, words))?.toString().trim()
  if (commit === undefined) throw new CannotAsk(`Git knows no commit '${ref}' here.`)
  const listed = await git(root, ['ls-tree', '-r', '-z', '--name-only', commit, './app'])
  const names = (listed?.toString() ?? '').split('\0')
  const paths = names.filter((path) => path.endsWith('.ts') && !path.includes('\n'))
  if (!paths.includes(index)) {
    throw new CannotAsk(
      `${ref} has no ${index}: it is older than that file, or no project is there.`,
    )
  }
  const asked = paths.map((path) => `${commit}:./${path}\n`).join('')
  const found = await git(root, ['cat-file', '--batch'], asked)
  if (found === null) throw new CannotAsk(`The files of '${ref}' cannot be read.`)
  return new Map(textsIn(found).map((text, at) => [paths[at] ?? '', text]))
}

const index = 'app/Repositories/index.ts'

/** `<hash> blob <size>`, that many bytes, and a line feed, for each. */
function textsIn(bytes: Buffer): readonly string[] {
  const texts: string[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\n', at)
    const size = Number(bytes.subarray(at, end).toString().split(' ')[2])
    texts.push(bytes.subarray(end + 1, end + 1 + size).toString())
    at = end + 1 + size + 1
  }
  return texts
}

/** Variables that both states share: the connection, and the environment. */
const shared = new Set(
  ['auth', 'context', 'database', 'env', 'log', 'prisma', 'settings', 'throttles'].map(
    (name) => `app/${name}.ts`,
  ),
)

/**
 * `ref:app/Repositories/index.ts` is that file as the ref has it, and so is what it imports of `app/`; the database, the runtime, the
 * config and packages are those of the working tree.
 */
export function refModules(root: string, files: RefFiles): Plugin {
  const isOld = (path: string) => files.has(path) && !shared.has(path)
  const old = (path: string) => ({ path, namespace: 'ref' })
  return {
    name: 'ref',
    setup: ({ onResolve, onLoad, resolve }) => {
      onResolve({ filter: /^ref:/ }, ({ path }) => old(path.slice('ref:'.length)))
      onResolve({ filter: /^(#app\/|\.\.?\/)/, namespace: 'ref' }, ({ path, importer, kind }) => {
        const named = path.startsWith('#')
          ? path.slice(1)
          : posix.join(posix.dirname(importer), path)
        const found = named.replace(/\.js$/, '.ts')
        if (isOld(found)) return old(found)
        return resolve(`./${found}`, { resolveDir: root, kind })
      })
      onLoad({ filter: /.*/, namespace: 'ref' }, ({ path }) => ({
        contents: files.get(path) ?? '',
        loader: 'ts',
        resolveDir: root,
      }))
    },
  }
}
