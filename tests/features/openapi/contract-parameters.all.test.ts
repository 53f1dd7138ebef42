/** Every parameter of the document changes what the blog answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toldOn } from '../../support/databases.js'
import { openProject, type Project } from '../../support/project.js'
import { aliasesOf, partsOf, type Operation, type Parts } from './contract-parts.js'

// Both read a request in the same way.
const asked = toldOn('sqlite')

describe.each(asked)('the parameters of the blog on %s', (name) => {
  let blog: Project
  let parts: Parts
  let ann: number

  beforeAll(async () => {
    blog = await openProject('blog', name, {
      'manifest/index.ts': (text) => text.replace('repositories: {', 'reads: [], repositories: {'),
    })
    parts = await partsOf(blog.folder)
    ann = await blog.user('Ann')
    await fill()
  })
  afterAll(() => blog.close())

  /** Two or three of everything, each with two or more of what it has. */
  async function fill(): Promise<void> {
    const [bob, cal] = [await blog.user('Bob'), await blog.user('Cal')]
    for (const [at, user_id] of [ann, bob, cal].entries()) {
      const published_at = at === 2 ? null : `202${at}-01-01T00:00:00.000Z`
      const title = ['Lamp', 'Chair', 'Table'][at] ?? ''
      const post = await blog.insert('posts', {
        title,
        description: title,
        owner_id: ann,
        published_at,
      })
      const tag = await blog.insert('tags', { name: `tag ${title}` })
      const company = await blog.insert('companies', { name: `${title} Ltd` })
      const role = await blog.insert('roles', { name: title })
      await blog.insert('phones', { number: `+${at}`, user_id })
      await blog.insert('images', { url: title, imageable_type: 'posts', imageable_id: post })
      for (const body of ['one', 'two'])
        await blog.insert('comments', { body: `${title} ${body}`, post_id: post, user_id })
      for (const id of [ann, bob]) {
        await blog.link('company_user', { company_id: company, user_id: id, is_admin: true })
        await blog.link('role_user', { role_id: role, user_id: id })
      }
      for (const taggable_type of ['companies', 'posts']) {
        await blog.link('taggables', { tag_id: tag, taggable_type, taggable_id: 1 })
      }
    }
  }

  it('has no parameter without an effect', async () => {
    const idle: string[] = []
    for (const operation of parts.contract.operations) {
      const path = operation.path.replace('{id}', '1')
      if (operation.method !== 'GET' || path.includes('{')) continue
      const named = operation.parameters.filter((each) => each.in === 'query')
      for (const { name: parameter } of named) {
        const isTold = await isFelt(path, parameter, operation)
        if (!isTold) idle.push(`${operation.id} ${parameter}`)
      }
    }
    expect(idle).toEqual([])
  })

  /**
   * Returns true if some value of it changes the answer, alone or beside all that can be included.
   */
  async function isFelt(path: string, parameter: string, operation: Operation): Promise<boolean> {
    const { schema } = operation.parameters.find((each) => each.name === parameter) ?? {
      schema: {},
    }
    const include = operation.parameters.find((each) => each.name === 'include')
    const all = include === undefined ? '' : includeOf(include.schema)
    for (const before of ['', all].map((each) => (each === '' ? '' : `include=${each}&`))) {
      const plain = await said(`${path}?${before}`)
      for (const value of valuesOf(parameter, schema)) {
        const ask = (as: string) =>
          said(`${path}?${before}${encodeURIComponent(as)}=${encodeURIComponent(value)}`)
        const answer = await ask(parameter)
        if (answer === null || answer === plain) continue
        for (const alias of aliasesOf(parameter)) expect(await ask(alias), alias).toBe(answer)
        return true
      }
    }
    return false
  }

  /** Null: a value of another kind, which is refused. */
  async function said(path: string): Promise<string | null> {
    const { status, body } = await blog.get(path, ann)
    if (status === 400) return null
    expect(status, path).toBe(200)
    return JSON.stringify([body.meta, body.data])
  }
})

type Schema = Readonly<Record<string, unknown>>

/** All names of the pattern, each with some of what is below it. */
function includeOf(schema: Schema): string {
  const pattern = /\((.*?)\)/.exec(JSON.stringify(schema))?.[1] ?? ''
  return pattern
    .split('|')
    .flatMap((name) => [name, `${name}.comments`, `${name}.posts`, `${name}.users`])
    .join(',')
}

/** Values that find one, some or none of the records above. */
function valuesOf(parameter: string, schema: Schema): readonly string[] {
  const text = JSON.stringify(schema)
  const named = [...text.matchAll(/"enum":\[(.*?)\]/g)].flatMap(
    ([, list = '']) => list.match(/[\w.-]+/g) ?? [],
  )
  if (parameter === 'include' || parameter === 'related') return [includeOf(schema)]
  if (named.length > 0) return named
  return text.includes('"type":"boolean"')
    ? ['true']
    : ['1', '2', 'Lamp', 'Ann', 'ann@example.test', '2020-01-01', '1999-01-01']
}
