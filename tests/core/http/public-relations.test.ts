/** A guest reads the records below a public record where their repository is public, too. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/core/http/manifests/public-relations.ts',
  policies: { Comment: { show: "() => ({ text: { not: 'hidden' } })" } },
}

const api = '/api/svc'

describe.each(databases)('what a guest reads below a record on %s', (name) => {
  let project: Project
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    await project.insert('articles', { id: 1, title: 'one' })
    await project.insert('comments', { id: 1, text: 'shown', article_id: 1 })
    await project.insert('comments', { id: 2, text: 'hidden', article_id: 1 })
    await project.insert('notes', { id: 1, text: 'note', article_id: 1 })
    await project.insert('tags', { id: 1, name: 'red' })
    await project.link('article_tag', { article_id: 1, tag_id: 1 })
    const image = { path: 'x', imageable_type: 'articles', imageable_id: '1' }
    await project.insert('images', { id: 1, ...image })
  })
  afterAll(() => project.close())

  const status = async (path: string) => (await project.get(`${api}/${path}`)).status

  it('is what the policies show of public repositories', async () => {
    const { status: listed, body } = await project.get(`${api}/articles/1/comments`)
    expect([listed, body.data.map(({ id }: { id: string }) => id)]).toEqual([200, ['1']])
    const paths = [
      'articles/1/comments/1',
      'articles/1/tags',
      'articles/1/images',
      'comments/1/article',
    ]
    for (const path of paths) expect([path, await status(path)]).toEqual([path, 200])
    expect([await status('articles/1/comments/2'), await status('articles/9/comments')]).toEqual([
      404, 404,
    ])
  })

  it('is 401 where one of the repositories is not public, and for writes', async () => {
    const paths = [
      'articles/1/notes',
      'articles/1/notes/1',
      'notes/1/article',
      'images/1/imageable',
    ]
    for (const path of paths) expect([path, await status(path)]).toEqual([path, 401])
    const made = await project.post(`${api}/articles/1/comments`, { text: 'new' })
    const changed = await project.patch(`${api}/articles/1/comments/1`, { text: 'new' })
    const removed = await project.delete(`${api}/articles/1/comments/1`)
    expect([made.status, changed.status, removed.status]).toEqual([401, 401, 401])
  })

  it('is not what another spelling of a path leads to', async () => {
    const paths = [
      ...['articles/1/notes/', 'articles/1/%6eotes', 'articles/1/comments/../notes'],
      ...['articles/1/comments/1/article', 'articles/1/comments/1/x', 'articles/1//notes'],
      ...['articles/1/comments%2F..%2Fnotes', 'articles/1%2Fnotes', 'articles/1;/notes'],
      ...['Articles/1/notes', 'articles/1/comments/%2e%2e/notes', 'articles/comments/notes/1'],
      ...['articles/1/comments/1/article/1/notes', 'notes/1', 'articles/1/notes?key=comments'],
    ]
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'QUERY']) {
        const answer = await project.request(method, `${api}/${path}`, {})
        expect([path, answer.status, [401, 404, 405].includes(answer.status)]).toEqual([
          ...[path, answer.status, true],
        ])
      }
    }
  })

  it('is in the document', () => {
    const text = readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8')
    const { paths } = JSON.parse(text)
    const security = (path: string) => paths[`/api/svc/${path}`].get.security
    expect(security('articles/{id}/comments')).toEqual(security('articles'))
    expect(security('articles/{id}/notes')).toBeUndefined()
  })
})
