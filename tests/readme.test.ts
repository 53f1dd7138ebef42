import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { generateInto } from './support/generate.js'
import { allPages, pages } from './support/pages.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFile(join(root, path), 'utf8')

it('names the test command that .ci/run runs', async () => {
  const [readme, ci] = await Promise.all([read('README.md'), read('.ci/run')])
  expect(readme).toContain('\nnpm ci && npm test\n')
  expect(ci).toContain('\nnpm ci && npm test\n')
})

it('is a page, which leads to all others', () => {
  const found = pages()
  const readme = found.get('README.md') ?? ''
  expect(readme.split('\n').length).toBeLessThanOrEqual(154)
  for (const [path, text] of found) {
    if (path !== 'README.md') expect(readme).toContain(`](${path})`)
    const links = [...text.matchAll(/\]\(([^):#]+)\)/g)].map(([, link = '']) => link)
    for (const link of links) expect(existsSync(join(root, dirname(path), link)), link).toBe(true)
  }
})

it('names only scripts and commands that exist', async () => {
  const readme = allPages()
  const { scripts } = JSON.parse(await read('package.json'))
  const project = JSON.parse(await read('fixtures/blog/expected/package.json'))
  const more = JSON.parse(await read('fixtures/features/soft-deletes/expected/package.json'))
  const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => String(name))
  for (const name of named) {
    expect({ ...scripts, ...project.scripts, ...more.scripts }).toHaveProperty([name])
  }
  const output = execFileSync('node', [join(root, 'dist/cli.js'), '--help'], {
    encoding: 'utf8',
  })
  const commands = [...readme.matchAll(/`svc ([a-z][\w:-]*)/g)].map(([, name]) => String(name))
  for (const name of commands) expect(output).toContain(`svc ${name}`)
})

it('shows the text that a wrong target really gets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-readme-'))
  const readme = await read('README.md')
  await cp(join(root, 'fixtures/minimal/manifest'), join(folder, 'manifest'), { recursive: true })
  for (const [, path = '', text = ''] of readme.matchAll(
    /```ts\n\/\/ (manifest\S+)\n([\s\S]*?)```/g,
  )) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const wrong = text.replace('category: belongsTo({', "category: belongsTo('category', {")
    await writeFile(join(folder, path), wrong)
  }
  const shown = /```\n(manifest\/products[\s\S]*?)```/.exec(readme)?.[1]
  await expect(generateInto(folder)).rejects.toThrow(shown?.trim())
  await rm(folder, { recursive: true })
})
