import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { program } from '../../support/program.js'
import { root } from '../plan/fixture.js'

const bins = {
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
} as const

export interface Outcome {
  readonly code: number
  /** Its output, both streams. */
  readonly output: string
}

/** Runs a tool of ours in an emitted project. */
export async function run(
  tool: keyof typeof bins | 'tsx',
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const [file = '', ...more] = args
  const line =
    tool === 'tsx' ? [await program(cwd, file), ...more] : [join(root, bins[tool]), ...args]
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, NODE_ENV: 'test', ...env } }
    const child = execFile(process.execPath, line, options)
    let output = ''
    const add = (text: string) => (output += text)
    child.stdout?.on('data', add)
    child.stderr?.on('data', add)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
