import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migrateProject } from '../../../generator/commands/database/migrate-project.js'
import { features } from '../../../generator/features/index.js'
import { generatePrismaClient } from '../../../generator/write/prisma-client.js'
import { svc } from '../../core/cli/project.js'
import { toldOn } from '../../support/databases.js'
import { generateInto } from '../../support/generate.js'
import { program } from '../../support/program.js'
import {
  databases,
  emitFixture,
  openFolder,
  load as loadFrom,
  openProject,
  type Edits,
  type Project,
} from '../../support/project.js'

const foldTitle = (text: string) => text.replace('text().max(160)', 'text().max(160).folded()')

const edits: Edits = {
  'manifest/posts.ts': (text) =>
    foldTitle(text)
      .replace("title: 'text'", "title: 'partial'")
      .replace("searchable: ['title', 'description']", "searchable: ['title']"),
  'manifest/users.ts': (text) => text.replace('name: text()', 'name: text().folded()'),
}

const titles = [
  'École à Évreux',
  'STRASSE',
  'İstanbul',
  'Москва, Ёлка',
  'party 🎉 ❤️',
  '100% of it',
  'snake_case',
  'O\'Hara "quoted" \\ back',
  'ΟΔΟΣ',
  'ﬁne',
  'plain',
]

/** Both databases find these. */
const found: readonly (readonly [string, readonly string[]])[] = [
  ['É', ['ﬁne', 'O\'Hara "quoted" \\ back', 'snake_case', 'STRASSE', 'École à Évreux']],
  ['ECOLE', ['École à Évreux']],
  ['a evreux', ['École à Évreux']],
  ['E\u0301cole', ['École à Évreux']],
  ['straße', ['STRASSE']],
  ['ẞ', ['STRASSE']],
  ['istanbul', ['İstanbul']],
  ['ISTANBUL', ['İstanbul']],
  ['İSTANBUL', ['İstanbul']],
  ['МОСКВА', ['Москва, Ёлка']],
  ['елка', ['Москва, Ёлка']],
  ['Я', []],
  ['🎉', ['party 🎉 ❤️']],
  ['❤', ['party 🎉 ❤️']],
  ['%', ['100% of it']],
  ['0% OF', ['100% of it']],
  ['_', ['snake_case']],
  ["o'h", ['O\'Hara "quoted" \\ back']],
  ['"QUOTED"', ['O\'Hara "quoted" \\ back']],
  ['\\', ['O\'Hara "quoted" \\ back']],
  ['οδος', ['ΟΔΟΣ']],
  ['οδοσ', ['ΟΔΟΣ']],
  ['FINE', ['ﬁne']],
  ['*', []],
  ['[a-z]', []],
]

describe.each(databases)('a folded field on %s', (name) => {
  let blog: Project
  let ann: number

  beforeAll(async () => {
    blog = await openProject('blog', name, edits)
    await generatePrismaClient(blog.folder)
    ann = await blog.user('Ann')
    for (const title of titles) {
      const { status } = await blog.post('/api/svc/posts', { title, title_folded: 'x' }, ann)
      expect(status).toBe(201)
    }
  })
  afterAll(() => blog.close())

  const load = (path: string) => loadFrom(blog.folder, path)
  const titlesOf = async (query: string) => {
    const { status, body } = await blog.get(`/api/svc/posts?perPage=100&${query}`, ann)
    expect(status).toBe(200)
    expect(body.meta.total).toBe(body.data.length)
    return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)
  }
  const search = (text: string) => titlesOf(`search=${encodeURIComponent(text)}`)

  it.each(found)('search finds %s, in partial matches and over GraphQL too', async (text, rows) => {
    expect(await search(text)).toEqual(rows)
    expect(await titlesOf(`title=${encodeURIComponent(text)}`)).toEqual(rows)
    const others = await titlesOf(`-title=${encodeURIComponent(text)}`)
    expect(others).toEqual(titles.filter((title) => !rows.includes(title)).toReversed())
    const query = 'query ($text: String) { postList(search: $text, first: 100) { title } }'
    const { body } = await blog.post('/graphql', { query, variables: { text } }, ann)
    expect(body.data.postList).toEqual(rows.map((title) => ({ title })))
  })

  it('is searched through a belongsTo, and follows every change', async () => {
    const jose = await blog.user('plain name')
    const { status } = await blog.patch(`/api/svc/users/${jose}`, { name: 'José Ñandú' }, jose)
    expect(status).toBe(200)
    const post = await blog.post('/api/svc/posts', { title: 'by somebody' }, jose)
    const path = `/api/svc/posts/${post.body.data.id}`
    await blog.patch(path, { published_at: '2026-01-01T00:00:00Z' }, jose)
    expect(await search('jose NANDU')).toEqual(['by somebody'])
    expect(await search('plain name')).toEqual([])
    expect(await search('SOMEBODY')).toEqual(['by somebody'])
    await blog.put(path, { title: 'ŽLUŤOUČKÝ', published_at: '2026-01-01T00:00:00Z' }, jose)
    expect(await search('zlutoucky')).toEqual(['ŽLUŤOUČKÝ'])
    expect(await search('somebody')).toEqual([])
    await blog.delete(path, jose)
  })

  it('keeps its column to itself', async () => {
    const { body } = await blog.get('/api/svc/posts?include=owner&sort=title_folded', ann)
    expect(JSON.stringify(body.data)).not.toContain('folded')
    const asked = await blog.get('/api/svc/posts?related=owner[name_folded]', ann)
    expect(JSON.stringify(asked.body.data)).not.toContain('folded')
    const schema = await readFile(join(blog.folder, 'app/GraphQL/schema.graphql'), 'utf8')
    expect(schema).not.toContain('folded')
    const [post] = (await blog.get('/api/svc/posts?search=plain', ann)).body.data
    await blog.patch(`/api/svc/posts/${post.id}`, { title_folded: 'other' }, ann)
    expect(await search('other')).toEqual([])
    expect(await search('plain')).toEqual(['plain'])
  })

  it('is filled by writes through Prisma, nested ones too', async () => {
    const { prisma } = await load('app/prisma.ts')
    const published_at = new Date('2026-01-01T00:00:00Z')
    const data = { email: 'zoe@example.test', password: '-', name: 'Zoë' }
    const zoe = await prisma.user.create({
      data: { ...data, posts: { create: [{ title: 'Über', published_at }] } },
    })
    expect(await search('zoe')).toEqual(['Über'])
    expect(await search('UBER')).toEqual(['Über'])
    const [post] = await prisma.post.findMany({ where: { owner_id: zoe.id } })
    const ownPost = { where: { id: post.id } }
    await prisma.post.update({ ...ownPost, data: { title: { set: 'Señor' } } })
    expect(await search('senor')).toEqual(['Señor'])
    await prisma.post.updateMany({ ...ownPost, data: { title: 'Año' } })
    expect(await search('ANO')).toEqual(['Año'])
    await prisma.post.upsert({ ...ownPost, create: post, update: { title: 'Łódź Ó' } })
    expect(await search('ano')).toEqual([])
    expect(await search('łodz o')).toEqual(['Łódź Ó'])
    const posts = { update: { ...ownPost, data: { title: 'Çelik' } } }
    await prisma.user.update({ where: { id: zoe.id }, data: { posts } })
    await prisma.post.update({ ...ownPost, data: { owner: { update: { name: 'Ğ' } } } })
    expect(await search('celik')).toEqual(['Çelik'])
    expect(await search('Ğ')).toContain('Çelik')
    const many = [{ title: 'Ævar Ö', published_at, owner_id: zoe.id }]
    await prisma.post.createMany({ data: many })
    expect(await search('ævar o')).toEqual(['Ævar Ö'])
    await prisma.$transaction(async (inner: typeof prisma) => {
      await inner.post.update({ ...ownPost, data: { title: 'Crème' } })
    })
    expect(await search('creme')).toEqual(['Crème'])
    await prisma.post.deleteMany({ where: { owner_id: zoe.id } })
    await prisma.$disconnect()
  })

  it('is filled at the start in rows that others wrote; until then the database folds', async () => {
    const ids: number[] = []
    for (let n = 0; n < 2100; n += 1) {
      ids.push(await blog.insert('posts', { title: `Ünique ${n}`, owner_id: ann }))
    }
    expect(await search('NIQUE 2099')).toEqual(['Ünique 2099'])
    expect(await search('unique 2099')).toEqual([])
    const { foldStored } = await load('runtime/features/folding/fold-stored.ts')
    const { PostRepository } = await load('app/Repositories/PostRepository.ts')
    const lines: string[] = []
    await foldStored([PostRepository], (line: string) => lines.push(line))
    expect(lines).toEqual([`folded 'title' of 2100 rows of 'posts' for search`])
    expect(await search('unique 2099')).toEqual(['Ünique 2099'])
    expect(await search('UNIQUE 209')).toHaveLength(11)
    await foldStored([PostRepository], (line: string) => lines.push(line))
    expect(lines).toHaveLength(1)
  })
})

describe.each(toldOn('postgresql'))('a field that becomes folded on %s', (name) => {
  it('is migrated, and its rows are folded when the server starts', async () => {
    const folder = await emitFixture('blog', name)
    expect((await svc(folder, 'migrate', 'save', 'init')).code).toBe(0)
    const blog = await openFolder(folder, name)
    try {
      const ann = await blog.user('Ann')
      await blog.insert('posts', { title: 'École', owner_id: ann })
      const manifest = join(blog.folder, 'manifest/posts.ts')
      await writeFile(manifest, foldTitle(await readFile(manifest, 'utf8')))
      await generateInto(blog.folder)
      const draft = await readFile(join(blog.folder, 'prisma/migrations/draft.sql'), 'utf8')
      expect(draft).not.toContain('Careful')
      vi.stubEnv('NODE_ENV', 'development')
      const options = { root: blog.folder, features, say: () => {}, acceptDataLoss: false }
      expect(await migrateProject(options)).toBe(true)
      vi.unstubAllEnvs()
      const server = await start(blog.folder)
      const headers = { authorization: `Bearer ${blog.token(ann)}` }
      const answer = await fetch(`${server.url}/api/svc/posts?search=ecole`, { headers })
      expect(await answer.json()).toMatchObject({ data: [{ attributes: { title: 'École' } }] })
      expect(server.log()).toContain(`folded 'title' of 1 rows of 'posts' for search`)
      server.child.kill('SIGTERM')
      await once(server.child, 'exit')
    } finally {
      await blog.close()
    }
  })
})

/** `npm run dev` without the watching: what app/server.ts does at its start. */
async function start(folder: string) {
  const env = { ...process.env, NODE_ENV: 'development', LOG_LEVEL: 'info', PORT: '0' }
  const child = spawn(process.execPath, [await program(folder, 'app/server.ts')], {
    cwd: folder,
    env,
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (log += String(text)))
  let url: string | undefined
  while (url === undefined && child.exitCode === null) {
    await once(child.stdout, 'data')
    url = /listening on (http:\/\/[\d.]+:\d+)/.exec(log)?.[1]
  }
  return { child, url, log: () => log }
}
