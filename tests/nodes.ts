/**
 * The build and `npm test` on other versions of Node, each in a copy of the checkout with packages installed by that Node, as
 * SQLite's driver is made for one of them. Ten minutes each, before a release:
 *
 *     npm run test:nodes -- [versions=22,24]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const versions = (process.argv[2] ?? '22,24').split(',')
const files = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  },
).split('\0')

for (const version of versions) {
  const folder = mkdtempSync(join(tmpdir(), `svc-node-${version}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const node = join(folder, 'node')
  const checkout = join(folder, 'svc')
  mkdirSync(node)
  for (const file of files.filter((each) => each !== '')) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    cpSync(join(root, file), join(checkout, file))
  }
  run(node, process.env, 'npm', 'install', '--no-audit', '--no-fund', `node@${version}`)
  const path = [join(node, 'node_modules/node/bin'), process.env['PATH']].join(delimiter)
  const env = { ...process.env, PATH: path }
  run(checkout, env, 'node', '--version')
  run(checkout, env, 'npm', 'ci', '--no-audit', '--no-fund')
  run(checkout, env, 'npm', 'test')
}

function run(cwd: string, env: NodeJS.ProcessEnv, command: string, ...line: string[]): void {
  console.log(`$ ${[command, ...line].join(' ')}`)
  const { status } = spawnSync(command, line, { cwd, env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
