/** The commands of docs/explain.md, each with what it prints, asked of the shop. */
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openExample } from '../core/cli/example.js'
import { build, compiled } from '../core/cli/project.js'
import { blocks } from '../support/pages.js'
import { commandsIn } from './shell.js'

export async function tryQuestions(): Promise<void> {
  build()
  const { folder } = await openExample('shop', 'sqlite')
  const all = blocks().filter(({ page }) => page === 'docs/explain.md')
  const asked = all.filter(({ language }) => language === 'console')
  expect(asked.length).toBeGreaterThan(3)
  for (const { text } of asked) {
    const [command = '', ...answer] = text.trimEnd().split('\n')
    const [, line = ''] = /^\$ npx --no svc (.+)$/.exec(command) ?? []
    expect(line, command).not.toBe('')
    expect(`${command}\n${await printed(folder, line)}`).toBe(`${command}\n${answer.join('\n')}\n`)
  }
  await change(folder)
  for (const { text, language } of all) {
    if (language !== 'sh') continue
    for (const command of commandsIn(text)) {
      const out = await printed(folder, command.replace('npx --no svc ', ''))
      expect(out).toContain('orders delete')
      expect(out).toContain('Ben Okafor (2)')
    }
  }
}

/** What the page says of the policy, after a commit of what it was. */
async function change(folder: string): Promise<void> {
  const git = (...line: readonly string[]) =>
    execFileSync('git', ['-c', 'user.email=a@b.cd', '-c', 'user.name=A', ...line], { cwd: folder })
  git('init', '-q', '-b', 'main')
  git('add', 'app')
  git('commit', '-qm', 'before')
  const policy = join(folder, 'app/Policies/OrderPolicy.ts')
  const text = readFileSync(policy, 'utf8')
  const weaker = text
    .replace('{ customer_id: user?.id }', "(user !== null && { status: 'open' })")
    .replace('delete: isAdmin', 'delete: isStaff')
  writeFileSync(policy, weaker)
}

/** Runs a command line through a shell, because its quotes are part of what people copy. Returns what it prints. */
export function printed(cwd: string, line: string): Promise<string> {
  return new Promise((resolve) => {
    const command = `"${process.execPath}" "${compiled}" ${line}`
    execFile('sh', ['-c', command], { cwd }, (_, out, errors) => resolve(out + errors))
  })
}
