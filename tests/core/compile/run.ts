import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../plan/fixture.js'

const bins = {
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
  tsx: 'node_modules/tsx/dist/cli.mjs',
} as const

export interface Outcome {
  readonly code: number
  /** What it printed, both streams. */
  readonly output: string
}

/** Runs a tool of ours in an emitted project. */
export function run(
  tool: keyof typeof bins,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, NODE_ENV: 'test', ...env } }
    const child = execFile(process.execPath, [join(root, bins[tool]), ...args], options)
    let output = ''
    const add = (text: string) => (output += text)
    child.stdout?.on('data', add)
    child.stderr?.on('data', add)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
