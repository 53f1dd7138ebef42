import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, svc } from '../cli/project.js'
import { fill, textsOf } from '../write/folder.js'
import { editsOf, perform, report, storyPath, turnTo } from './story.js'

const identity = [
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.com',
  '-c',
  'commit.gpgsign=false',
]

const story = 'two-branches-merged'

test(`fixtures/regenerate/${story}: one command brings two branches together that both generated`, async () => {
  const root = emptyFolder()
  const git = (...words: string[]) =>
    execFileSync('git', [...identity, ...words], { cwd: root, stdio: 'pipe' })
  const commit = () => {
    git('add', '.')
    git('commit', '-q', '-m', 'a commit')
  }
  const workOn = async (branch: string) => {
    turnTo(story, branch, root)
    await svc(root, 'generate')
    perform(editsOf(story, branch), root)
    commit()
  }
  git('init', '-q', '-b', 'main')
  await workOn('before')
  git('switch', '-q', '-c', 'tags')
  await workOn('tags')
  git('switch', '-q', 'main')
  await workOn('notes')

  expect(() => git('merge', '-q', 'tags')).toThrow()
  const torn = Object.entries(textsOf(root)).filter(([, text]) => /^<{7} /m.test(text))
  expect(torn.map(([path]) => path)).toEqual(
    expect.arrayContaining(['app/Models.ts', 'app/Http/resources.ts']),
  )
  turnTo(story, 'merged', root)
  const { code, out, errors } = await svc(root, 'generate')
  expect({ code, errors }, out).toEqual({ code: 0, errors: '' })
  await expect(report(out)).toMatchFileSnapshot(storyPath(story, 'report.txt'))

  const fresh = emptyFolder()
  fill(
    fresh,
    Object.fromEntries(
      Object.entries(textsOf(root)).filter(([path]) => path.startsWith('manifest/')),
    ),
  )
  fill(fresh, { 'package.json': read(root, 'package.json') })
  await svc(fresh, 'generate')
  const edits = ['tags', 'notes'].flatMap((branch) => editsOf(story, branch))
  for (const path of new Set(edits.map(({ path }) => path))) {
    const restored = edits
      .filter((edit) => edit.path === path)
      .reduce(
        (text, { from, to }) => {
          expect(text).toContain(to)
          return text.replace(to ?? '', from)
        },
        read(root, path),
      )
    expect(restored).toBe(read(fresh, path))
  }
  expect(read(root, 'prisma/schema/svc.prisma')).toBe(read(fresh, 'prisma/schema/svc.prisma'))
  expect(
    Object.entries(textsOf(root))
      .filter(([, text]) => /^(<{7}|>{7})/m.test(text))
      .map(([path]) => path),
  ).toEqual([])
  expect((await svc(root, 'generate', '--check')).code).toBe(0)
})

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')
