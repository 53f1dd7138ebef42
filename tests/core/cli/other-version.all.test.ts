import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fill } from '../write/folder.js'
import { dev, freePort } from './dev.js'
import { checkout, newProject, svc } from './project.js'

/**
 * A project that npm installed with an older svckit: everything, and an older package of the
 * runtime.
 */
async function upgraded() {
  const root = await newProject()
  const modules = join(root, 'node_modules')
  const link = (name: string) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(checkout, 'node_modules', name), join(modules, name), 'junction')
  }
  readdirSync(join(checkout, 'node_modules')).forEach((name) => link(name))
  rmSync(join(modules, 'svckit-runtime'))
  fill(root, { 'node_modules/svckit-runtime/package.json': '{ "version": "9.0.0" }\n' })
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const [, hash = ''] = /-([0-9a-f]{12})\.tgz/.exec(read('package.json')) ?? []
  const install = () => {
    rmSync(join(modules, 'svckit-runtime'), { recursive: true })
    link('svckit-runtime')
  }
  const change = (path: string, from: string, to: string) =>
    fill(root, { [path]: read(path).replace(from, to) })
  return { root, hash, install, change, read }
}

test('an older package of the runtime in node_modules is named by svc generate and svc doctor, with the command', async () => {
  const { root, hash, install, change } = await upgraded()
  const text = `package.json asks for svckit-runtime 10.0.0 (${hash}), and node_modules has 9.0.0`
  expect((await svc(root, 'generate')).out).toContain(`\n${text}.\n  fix    npm install\n`)
  const wrong = `Wrong:\n  node_modules  ${text}\n    fix  npm install\n`
  expect(await svc(root, 'doctor')).toEqual({ code: 1, out: wrong, errors: '' })
  fill(root, { 'pnpm-lock.yaml': '' })
  expect((await svc(root, 'generate')).out).toContain('  fix    pnpm install\n')
  install()
  expect((await svc(root, 'generate')).out).not.toContain('install')
  expect((await svc(root, 'doctor')).out).toBe('All is well.\n')

  change('package.json', hash, '0123456789ab')
  const { code, out } = await svc(root, 'doctor')
  expect(code).toBe(1)
  expect(out).toContain(
    '  package.json  asks for svckit-runtime 10.0.0, and this svckit needs 10.0.0 of another build\n',
  )
  expect(out).toContain(
    `  node_modules  package.json asks for svckit-runtime 10.0.0 (0123456789ab), and node_modules has 10.0.0 of another build\n`,
  )
})

test('a package that a feature needs is named by svc generate and svc doctor while nobody has installed it', async () => {
  const { root, install, change } = await upgraded()
  install()
  rmSync(join(root, 'node_modules/prom-client'))
  change('manifest/index.ts', 'defineManifest({', 'defineManifest({\n  metrics: true,')
  const text = 'package.json asks for prom-client, and node_modules does not have it'
  const { out } = await svc(root, 'generate', '--no-compile')
  expect(out).toContain(`\n${text}.\n  fix    npm install\n`)
  const doctor = await svc(root, 'doctor')
  expect([doctor.code, doctor.out]).toEqual([
    1,
    expect.stringContaining(`  node_modules  ${text}\n    fix  npm install\n`),
  ])
})

test('a lock that says whose the runtime is otherwise than package.json is named by svc doctor', async () => {
  const { root, install, change } = await upgraded()
  install()
  change('svc.lock.json', '"runtime": "package"', '"runtime": "own"')
  const { code, out } = await svc(root, 'doctor')
  expect(code).toBe(1)
  expect(out).toContain(
    `  package.json  leads #runtime/* to 'svckit-runtime/*', and svc.lock.json says "runtime": "own"\n`,
  )
})

test('svc dev installs a newer package of the runtime, once, and the server says where it runs with another one', async () => {
  const { root, hash, change } = await upgraded()
  const package_ = join(root, 'node_modules/svckit-runtime')
  // There is no registry here; what npm would do to this package is what counts.
  const npm = `#!/bin/sh\necho "npm $*" >> npm.log\nrm -r '${package_}'\nln -s '${join(checkout, 'dist/svckit-runtime')}' '${package_}'\n`
  fill(root, { 'bin/npm': npm })
  chmodSync(join(root, 'bin/npm'), 0o755)
  vi.stubEnv('PATH', `${join(root, 'bin')}${delimiter}${process.env['PATH']}`)
  const port = await freePort()
  const { said, end } = dev(root, port)
  const until = (what: () => unknown) => expect.poll(what, { interval: 50, message: said() })
  await until(said).toContain(`listening on http://127.0.0.1:${port}`)
  expect(said()).toContain('and node_modules has 9.0.0: npm install\n')
  expect(said()).not.toContain('asks for svckit-runtime 10.0.0, and')
  expect(readFileSync(join(root, 'npm.log'), 'utf8')).toBe('npm install\n')

  change('package.json', hash, '0123456789ab')
  change('app/app.ts', 'export', '// A line.\nexport')
  await until(said).toContain(
    'package.json asks for svckit-runtime 10.0.0, and node_modules has 10.0.0 of another build: npm install',
  )
  expect(readFileSync(join(root, 'npm.log'), 'utf8')).toBe('npm install\n')
  await end()
})
