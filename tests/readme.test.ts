import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

it('fits on 150 lines, and the table of contents leads to every page', () => {
  const found = pages()
  const readme = found.get('README.md') ?? ''
  const contents = found.get('docs/README.md') ?? ''
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  expect(readme).toContain('](docs/README.md)')
  for (const [path, text] of found) {
    const name = path.replace('docs/', '')
    if (name !== 'README.md') expect(contents).toContain(`](${name})`)
    const links = [...text.matchAll(/\]\(([^):#]+)\)/g)].map(([, link = '']) => link)
    for (const link of links) expect(existsSync(join(root, dirname(path), link)), link).toBe(true)
  }
})

it('leads to headings that exist', () => {
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-')
  const headings = new Map(
    [...pages()].map(([path, text]) => [
      path,
      [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)),
    ]),
  )
  for (const [path, text] of pages()) {
    for (const [, link = '', heading = ''] of text.matchAll(/\]\(([^):#]*)#([^)]+)\)/g)) {
      const page = link === '' ? path : join(dirname(path), link).replaceAll('\\', '/')
      expect(headings.get(page), `${path}: ${link}#${heading}`).toContain(heading)
    }
  }
})

it('has the numbers of the benchmarks', async () => {
  const page = await read('docs/benchmarks.md')
  const measured = page.slice(page.indexOf('\n## PostgreSQL'))
  const table = /\n\| Contestant[^\n]*\n\|[^\n]*\n((?:\|.*\n)+)/.exec(await read('README.md'))?.[1]
  const rows = (table ?? '').trimEnd().split('\n').map(cellsOf)
  expect(rows.length).toBeGreaterThan(3)
  for (const [name = '', ...figures] of rows) {
    const row = measured.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? ''
    expect(figures).toEqual(
      cellsOf(row)
        .slice(1)
        .map((cell) => cell.split(' · ')[0]),
    )
  }
})

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

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
  await cp(join(root, 'fixtures/shop/manifest'), join(folder, 'manifest'), { recursive: true })
  const products = join(folder, 'manifest/products.ts')
  const text = await readFile(products, 'utf8')
  await writeFile(products, text.replace('belongsTo({', "belongsTo('category', {"))
  const shown = /```\n(manifest\/products[\s\S]*?)```/.exec(readme)?.[1]
  await expect(generateInto(folder)).rejects.toThrow(shown?.trim())
  await rm(folder, { recursive: true })
})
