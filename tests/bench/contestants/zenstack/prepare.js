/** Compiles the schema for both databases: `sqlite/schema.ts` and `postgresql/schema.ts`, then as JavaScript. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { transformSync } from 'esbuild'

const schema = readFileSync('blog.zmodel', 'utf8')

for (const database of ['sqlite', 'postgresql']) {
  mkdirSync(database, { recursive: true })
  writeFileSync(`${database}/schema.zmodel`, schema.replace('DATABASE', database))
  const line = ['generate', '--schema', `${database}/schema.zmodel`, '--no-version-check']
  const command = '../node_modules/@zenstackhq/cli/bin/cli'
  execFileSync(process.execPath, ['--require', './group-by.cjs', command, ...line, '--no-tips'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const { code } = transformSync(readFileSync(`${database}/schema.ts`, 'utf8'), { loader: 'ts' })
  writeFileSync(`${database}/schema.js`, code)
}
