/** The generators, in a folder of their own, with the Node that they want. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Said {
  readonly code: number
  readonly output: string
}

export function call(cwd: string, command: string, args: readonly string[]): Promise<Said> {
  const path = [bin, process.env['PATH']].join(delimiter)
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, PATH: path, CI: 'true' }, maxBuffer: 1 << 28 }
    const child = execFile(command, args, options, (_, out, errors) =>
      resolve({ code: child.exitCode ?? 1, output: out + errors }),
    )
  })
}

const packageText = readFileSync(fileURLToPath(new URL('package.json', import.meta.url)), 'utf8')
const hash = createHash('sha256').update(packageText).digest('hex').slice(0, 12)

/** The next run finds it by the hash of its package.json. */
export const tools = join(tmpdir(), `svc-interop-${hash}`)
const bin = join(tools, 'node_modules/.bin')

export async function install(): Promise<void> {
  if (existsSync(join(tools, '.installed'))) return
  mkdirSync(tools, { recursive: true })
  writeFileSync(join(tools, 'package.json'), packageText)
  const { code, output } = await call(tools, 'npm', ['install', '--no-audit', '--no-fund'])
  if (code !== 0) throw new Error(output)
  writeFileSync(join(tools, '.installed'), '')
}

export interface Generator {
  readonly name: string
  /** Files beside the document, in the folder where it runs. */
  readonly files: Readonly<Record<string, string>>
  readonly command: readonly [string, ...(readonly string[])]
}

/** Each as its own first page says; `address`: where the server is. */
export const generators = (address: string): readonly Generator[] => [
  {
    name: 'openapi-typescript',
    files: {},
    command: ['openapi-typescript', 'openapi.json', '-o', 'openapi-typescript/schema.ts'],
  },
  {
    name: 'orval',
    files: {
      'orval.config.mjs': `export default { api: { input: 'openapi.json', output: { target: 'orval/api.ts', client: 'fetch', baseUrl: '${address}' } } }`,
    },
    command: ['orval', '--config', 'orval.config.mjs'],
  },
  {
    name: 'hey-api',
    files: {},
    command: ['openapi-ts', '-i', './openapi.json', '-o', 'hey-api'],
  },
  {
    name: 'kubb',
    files: {
      'kubb.config.mjs': `import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
export default defineConfig({
  root: '.', input: { path: 'openapi.json' }, output: { path: 'kubb' },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch', dataReturnType: 'full', baseURL: '${address}' })],
})`,
    },
    command: ['kubb', 'generate', '--config', 'kubb.config.mjs'],
  },
]

/** Kubb's imports end with `.ts`. */
export const tsconfig = (folder: string) =>
  JSON.stringify({
    compilerOptions: {
      ...{ strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
      ...{ lib: ['es2022', 'dom', 'dom.iterable'], noEmit: true, skipLibCheck: true },
      ...{ types: ['node'], allowImportingTsExtensions: true },
    },
    include: [folder],
  })
