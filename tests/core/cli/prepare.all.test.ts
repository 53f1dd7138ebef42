import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fill } from '../write/folder.js'
import { checkout, emptyFolder } from './project.js'

test('npm install of a project builds a linked checkout only where nothing is built yet', () => {
  const home = emptyFolder()
  const svckit = join(home, 'svckit')
  const project = join(home, 'shop')
  const { prepare } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')).scripts
  const script = 'generator/libraries/prepare.js'
  cpSync(join(checkout, script), join(svckit, script))
  const build = "fs.mkdirSync('dist', { recursive: true }); fs.appendFileSync('dist/cli.js', 'x')"
  fill(home, {
    'svckit/package.json': JSON.stringify({
      name: 'svckit',
      version: '1.0.0',
      type: 'module',
      scripts: { prepare, build: `node -e "${build}"` },
    }),
    'shop/package.json': JSON.stringify({
      name: 'shop',
      devDependencies: { svckit: 'file:../svckit' },
    }),
  })
  const install = (cwd: string) => {
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
    const shell = process.platform === 'win32'
    const words = ['install', '--offline', '--no-audit', '--no-fund']
    execFileSync('npm', words, { cwd, shell, env: Object.fromEntries(kept), stdio: 'pipe' })
    return readFileSync(join(svckit, 'dist/cli.js'), 'utf8').length
  }
  expect(install(svckit)).toBe(1)
  expect(install(project)).toBe(1)
  expect(install(svckit)).toBe(2)
  expect(install(project)).toBe(2)
  rmSync(join(svckit, 'dist'), { recursive: true })
  expect(install(project)).toBe(1)
})
