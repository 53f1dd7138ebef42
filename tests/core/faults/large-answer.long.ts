/** One GET that would be answered by hundreds of megabytes, at its real size, to a server that has half a gigabyte. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { change } from '../compile/emit.js'
import { query } from '../regenerate/query.js'
import { deployed } from './deployed.js'
import { startServer } from './server-process.js'

const manifest = (text: string) =>
  text
    .replace(
      /import .*/,
      `import { belongsTo, defineManifest, hasMany, repository, text, textarea } from 'svckit'`,
    )
    .replace(
      'const notes',
      `const posts = repository({ fields: { body: textarea().max(1_000_000) }, related: { comments: hasMany() } })
const comments = repository({ fields: { text: text() }, related: { post: belongsTo('posts') } })

const notes`,
    )
    .replace('{ notes }', '{ notes, posts, comments }')

const now = `'2026-01-01T00:00:00.000+00:00'`
const rows = (body: string) => `
  insert into posts (id, body, created_at, updated_at) values (1, '${body}', ${now}, ${now});
  insert into comments (text, post_id, created_at, updated_at)
    with recursive c(n) as (select 1 union all select n + 1 from c where n < 49) select 'c', 1, ${now}, ${now} from c`

test.each(databases)(
  'a post of 1 MB, hundreds of times in one answer, is 400 and leaves nothing behind on %s',
  async (database) => {
    const folder = await deployed(database, manifest)
    for (const name of ['Post', 'Comment']) {
      change(join(folder, `app/Policies/${name}Policy.ts`), /\(\) => false/, '() => true')
    }
    const url =
      database === 'sqlite' ? `file:${join(folder, 'large.sqlite')}` : await freshDatabase()
    const env = { DATABASE_URL: url, NODE_OPTIONS: '--max-old-space-size=512' }
    const server = await startServer(folder, env)
    await query(database, url, rows('x'.repeat(1_000_000)))
    expect((await server.send('GET', '/api/svc/posts/1')).status).toBe(200)

    /** 425 and 833 MB: each comment has its post, whose comments have it again. */
    const asked = [
      '/api/svc/comments?perPage=25&relatablePerPage=16&include=post.comments.post',
      '/api/svc/comments?perPage=49&relatablePerPage=16&include=post.comments.post',
    ]
    const ask = async (times: number) => {
      for (let n = 0; n < times; n += 1) {
        const requests = [...asked, '/health'].map((path) => server.send('GET', path))
        const [one, other, health] = await Promise.all(requests)
        for (const answer of [one, other]) {
          expect(answer?.status).toBe(400)
          expect(answer?.body.message).toContain('limits.response_bytes')
        }
        expect(health?.status).toBe(200)
      }
    }
    const megabytes = () =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.child.pid)])) / 1024
    await ask(50)
    const before = megabytes()
    await ask(200)
    // Less than a single answer of those would take.
    expect(megabytes() - before).toBeLessThan(200)
    server.child.kill('SIGTERM')
    expect(await server.exited).toBe(0)
    rmSync(folder, { recursive: true, force: true })
  },
)
