import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFile(`${root}${path}`, 'utf8')

describe('the README', () => {
  it('names the test command that .ci/run runs', async () => {
    const [readme, ci] = await Promise.all([read('README.md'), read('.ci/run')])
    expect(readme).toContain('\nnpm ci && npm test\n')
    expect(ci).toContain('\nnpm ci && npm test\n')
  })

  it('names only scripts and commands that exist', async () => {
    const readme = await read('README.md')
    const { scripts } = JSON.parse(await read('package.json'))
    const project = JSON.parse(await read('fixtures/blog/expected/package.json'))
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name)
    for (const name of named) expect({ ...scripts, ...project.scripts }).toHaveProperty([String(name)])
  })
})
