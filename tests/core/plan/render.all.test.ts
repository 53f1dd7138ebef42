import { describe, expect, test } from 'vitest'
import { tidy } from '../../../generator/source/tidy.js'
import { renderProject } from '../../support/with-features.js'
import { blueprintOf, cases, renderFixture } from './fixture.js'

const options = { name: 'app', svckit: '10.0.0' }

describe.each(cases)('$fixture on $database', ({ fixture, database }) => {
  test('renders the same twice, and from a blueprint that went through JSON', async () => {
    const blueprint = await blueprintOf(fixture, database)
    const first = await renderProject(blueprint, options)
    expect(await renderProject(blueprint, options)).toEqual(first)
    expect(await renderProject(JSON.parse(JSON.stringify(blueprint)), options)).toEqual(first)
  })

  test('makes each file once', async () => {
    const paths = (await renderFixture(fixture, database)).map(({ path }) => path.toLowerCase())
    expect(new Set(paths).size).toBe(paths.length)
  })

  test('is formatted, what is never given to the formatter too', async () => {
    for (const { path, content } of await renderFixture(fixture, database)) {
      // The document of the API has a line for each operation and each component.
      if (path.startsWith('runtime/') || path.endsWith('/openapi.json')) continue
      expect(await tidy(path, content), path).toBe(content)
    }
  })

  test('ends each file with one line feed, and no line with a blank', async () => {
    for (const { path, content } of await renderFixture(fixture, database)) {
      if (path.startsWith('runtime/')) continue
      expect(content, path).toMatch(/[^\n]\n$/)
      expect(content, path).not.toMatch(/[ \t]\n/)
    }
  })

  test('gives the container each variable that .env.example names', async () => {
    const files = await renderFixture(fixture, database)
    const text = (path: string) => files.find((file) => file.path === path)?.content ?? ''
    const named = [...text('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)]
    const outside = ['HOST', 'PORT', 'TEST_DATABASE_URL']
    const passed = [...text('compose.yaml').matchAll(/^ {6}([A-Z][A-Z0-9_]+): /gm)]
    expect(passed.map(([, name]) => name)).toEqual(
      expect.arrayContaining(
        named.flatMap(([, name = '']) => (outside.includes(name) ? [] : [name])),
      ),
    )
  })

  test('says in the first line whose the file is', async () => {
    const withComments = (await renderFixture(fixture, database)).filter(({ path }) =>
      /\.(ts|prisma)$|^Dockerfile$/.test(path),
    )
    for (const { path, content, owner } of withComments) {
      const [first = ''] = content.split('\n', 1)
      const words = owner === 'svc' ? /svc/ : /^\/\/ Yours/
      expect(first, path).toMatch(words)
    }
  })
})

test('is as narrow as our own source, first lines aside', async () => {
  for (const { path, content } of await renderFixture('blog', 'sqlite')) {
    if (!path.endsWith('.ts') || path.startsWith('runtime/')) continue
    const wide = content.split('\n').filter((line, index) => index > 0 && line.length > 100)
    expect(wide, path).toEqual([])
  }
})

describe('a project', () => {
  const fileOf = async (path: string, fixture: 'blog' | 'every-kind', svckit: string) => {
    const blueprint = await blueprintOf(fixture, 'sqlite')
    const files = await renderProject(blueprint, { name: 'app', svckit })
    return files.find((file) => file.path === path)?.content ?? ''
  }

  test('is put into an image without an svckit that no registry has', async () => {
    const local = await fileOf('Dockerfile', 'blog', 'file:../svc')
    expect(local).toContain('npm pkg delete devDependencies.svckit && npm install')
    expect(local).not.toContain('npm ci')
    expect(await fileOf('Dockerfile', 'blog', '10.0.0')).toContain('RUN npm ci\n')
  })

  test('says in its README which repositories are public, and asks for keys as they are', async () => {
    const { entities } = await blueprintOf('every-kind', 'sqlite')
    const text = await fileOf('README.md', 'every-kind', '10.0.0')
    const [, open = ''] = /`GET` needs no token of (.*?) *\|$/m.exec(text) ?? []
    const marked = open.split(', ').map((key) => key.replaceAll('`', ''))
    expect(marked).toEqual(entities.filter((each) => each.isPublic).map(({ key }) => key))
    const asked = /curl .*svc\/(\S+)\/(1|<id>)/.exec(text)
    const isUuid = entities.find(({ key }) => key === asked?.[1])?.id === 'uuid'
    expect(asked?.[2]).toBe(isUuid ? '<id>' : '1')
  })
})
