import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

describe.each(databases)('search on %s', (name) => {
  let blog: Project
  let ann: number

  const titles = [
    '100% of it',
    'snake_case',
    'O\'Hara "quoted"',
    'back\\slash',
    'party 🎉',
    'STRASSE',
    'ÉCOLE',
  ]

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
    for (const title of titles) await blog.insert('posts', { title, owner_id: ann })
  })
  afterAll(() => blog.close())

  const found = async (text: string) => {
    const { status, body } = await blog.get(
      `/api/svc/posts?search=${encodeURIComponent(text)}`,
      ann,
    )
    expect(status).toBe(200)
    return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)
  }

  it.each([
    ['%', '100% of it'],
    ['_', 'snake_case'],
    ["o'h", 'O\'Hara "quoted"'],
    ['"QUOTED"', 'O\'Hara "quoted"'],
    ['\\', 'back\\slash'],
    ['🎉', 'party 🎉'],
    ['strasse', 'STRASSE'],
    ['ÉCOLE', 'ÉCOLE'],
    ['ÉcolE', 'ÉCOLE'],
  ])('%s is text, whatever the case of letters', async (text, title) => {
    expect(await found(text)).toEqual([title])
  })

  it('folds A to Z on both databases, and every letter only on PostgreSQL', async () => {
    expect(await found('école')).toEqual(name === 'postgresql' ? ['ÉCOLE'] : [])
    expect(await found('éCOLE')).toEqual(name === 'postgresql' ? ['ÉCOLE'] : [])
    // Neither makes ß of ss, or e of é.
    expect(await found('straße')).toEqual([])
    expect(await found('ecole')).toEqual([])
  })
})
