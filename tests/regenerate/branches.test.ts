import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, svc } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'
import { perform, turnTo } from './story.js'

const identity = [
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.com',
  '-c',
  'commit.gpgsign=false',
]

test('two branches that both generated, with an edit each, are brought together by one command', async () => {
  const root = emptyFolder()
  const git = (...words: string[]) =>
    execFileSync('git', [...identity, ...words], { cwd: root, stdio: 'pipe' })
  const commit = () => git('commit', '-q', '-a', '-m', 'a commit')
  turnTo('an-edit-and-a-new-field', 'before', root)
  await svc(root, 'generate')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  commit()

  git('switch', '-q', '-c', 'tags')
  turnTo('a-policy-of-ones-own', 'after', root)
  await svc(root, 'generate')
  const mine = '// Edited with the tags.'
  perform(
    [
      {
        path: 'app/Models.ts',
        from: 'export interface Tag {',
        to: `${mine}\nexport interface Tag {`,
      },
    ],
    root,
  )
  git('add', '.')
  commit()

  git('switch', '-q', 'main')
  fill(root, {
    'manifest/posts.ts': read(root, 'manifest/posts.ts').replace(
      'text(),',
      'text(),\n    subtitle: text().nullable(),',
    ),
  })
  await svc(root, 'generate')
  const theirs = '// Edited with the subtitle.'
  perform(
    [
      {
        path: 'app/Models.ts',
        from: 'export interface Post {',
        to: `${theirs}\nexport interface Post {`,
      },
    ],
    root,
  )
  git('add', '.')
  commit()

  expect(() => git('merge', '-q', 'tags')).toThrow()
  // The manifest is the developer's to merge; git did it here.
  expect(read(root, 'manifest/posts.ts')).toMatch(/subtitle: [^]*belongsToMany/)
  const { code, out, errors } = await svc(root, 'generate')
  expect({ code, errors }, out).toEqual({ code: 0, errors: '' })

  const fresh = emptyFolder()
  fill(
    fresh,
    Object.fromEntries(
      Object.entries(textsOf(root)).filter(([path]) => path.startsWith('manifest/')),
    ),
  )
  fill(fresh, { 'package.json': read(root, 'package.json') })
  await svc(fresh, 'generate')
  const models = read(root, 'app/Models.ts')
  expect(
    models
      .split('\n')
      .filter((line) => line !== mine && line !== theirs)
      .join('\n'),
  ).toBe(read(fresh, 'app/Models.ts'))
  expect(models).toContain(mine)
  expect(models).toContain(theirs)
  expect(read(root, 'prisma/schema/svc.prisma')).toBe(read(fresh, 'prisma/schema/svc.prisma'))
  expect(
    Object.entries(textsOf(root))
      .filter(([, text]) => /^(<{7}|>{7})/m.test(text))
      .map(([path]) => path),
  ).toEqual([])
  expect((await svc(root, 'generate', '--check')).code).toBe(0)
})

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')
