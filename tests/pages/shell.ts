import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { installStrictly, linkedSvckit } from '../core/cli/elsewhere.js'
import { svc } from '../core/cli/project.js'

/** The commands of an `sh` block, without what is said beside them. */
export const commandsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => line.split(' && '))
    .map((line) => line.replace(/(^|\s)#.*/, '').trim())
    .filter((line) => line !== '')

/** Commands that a page may show and no test runs: npm and what a shell has anyway. */
const shells =
  /^(npm (ci|install|test|start)|npm run [\w:-]+|cp|git|docker compose|cd|bun|deno run)( |$)/

/** Serves until somebody stops it: other tests run it. */
const serves = /^npx --no svc dev$/

/** Runs what an `sh` block says, in a project that lies where the page's reader has theirs. */
export async function runCommands(folder: string, text: string): Promise<void> {
  delete process.env['DATABASE_URL'] // of a server that a test has open; readers have one of their own
  for (const command of commandsIn(text)) {
    const [, line] = /^npx --no svc (.*)$/.exec(command) ?? []
    const [, removed] = /^rm (\S+)$/.exec(command) ?? []
    if (removed !== undefined) rmSync(join(folder, removed))
    else if (command === 'npm install') install(folder)
    else if (line === undefined || serves.test(command)) expectKnown(command)
    else {
      const words = line
        .replace(/^new \.\.\/\w+/, 'new .')
        .replace(/^generate$/, 'generate --no-compile') // what it would find, the test looks for
        .split(' ')
      const { code, out, errors } = await svc(folder, ...words)
      expect(code, `${command}\n${out}${errors}`).toBe(0)
    }
  }
}

/** As strictly as pnpm; in a folder beside the project, which `svc init` made, a page has nothing to install for. */
function install(folder: string): void {
  if (existsSync(join(folder, 'package.json'))) installStrictly(folder, linkedSvckit())
}

export function expectKnown(command: string): void {
  if (!serves.test(command)) expect(command).toMatch(shells)
}
