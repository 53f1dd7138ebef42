import { describe, expect, test } from 'vitest'
import { emptyFolder, svc } from '../cli/project.js'
import { textsOf } from '../write/folder.js'
import { editsOf, perform, report, stories, storyPath, turnTo } from './story.js'

/** Where a renamed repository takes its files. */
const moved = new Map(
  ['Policies/PostPolicy.ts', 'Http/Controllers/PostController.ts'].map((path) => [
    `a-repository-renamed/app/${path}`,
    `app/${path.replace('Post', 'Article')}`,
  ]),
)

describe.each(stories)('fixtures/regenerate/%s', (story) => {
  test('ends with its report, every edit in place, and nothing left to do', async () => {
    const root = emptyFolder()
    turnTo(story, 'before', root)
    expect((await svc(root, 'generate')).code).toBe(0)
    const edits = editsOf(story)
    perform(edits, root)
    turnTo(story, 'after', root)
    const { code, out } = await svc(root, 'generate')
    await expect(report(out)).toMatchFileSnapshot(storyPath(story, 'report.txt'))
    const texts = textsOf(root)
    for (const { path, to } of edits) {
      const now = moved.get(`${story}/${path}`) ?? path
      if (to !== null) expect(texts[now]).toContain(to)
    }
    if (code === 0) expect((await svc(root, 'generate', '--check')).code).toBe(0)
    expect((await svc(root, 'generate')).code).toBe(code)
  })
})
