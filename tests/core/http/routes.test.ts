import type { Hono } from 'hono'
import { expect, test } from 'vitest'
import { relatedOf, type Entry } from '../../../runtime/features/relations/entries.js'
import type { HasEntity } from '../../../runtime/model/entity.js'
import { load, openProject } from '../../support/project.js'
import { svc } from '../cli/project.js'

test.each(['blog', 'every-kind'])('svc routes lists what the server of %s serves', async (name) => {
  const { folder, close } = await openProject(name, 'sqlite')
  const loadOwn = (path: string) => load(folder, path)
  const app: Hono = (await loadOwn('app/app.ts')).createApp()
  const all: Readonly<Record<string, HasEntity>> = (await loadOwn('app/Repositories/index.ts'))
    .repositories
  const repositories = Object.values(all)

  // `ALL` is middleware, and so is what one route has before its handler; `QUERY /posts` is another way to say `POST /posts/search`.
  // `:relation` stands for each of the repository's entries that is stored.
  const served = app.routes
    .filter(({ method }) => method !== 'ALL' && method !== 'QUERY')
    .flatMap(({ method, path }) => {
      if (!path.includes('/:relation')) return [`${method} ${path}`]
      const repository = repositories.find(({ definition }) =>
        path.startsWith(`/api/svc/${definition.key}/`),
      )
      const entries = repository && relatedOf(repository.definition)?.entries.values()
      return [...(entries ?? [])]
        .filter((entry) => isServed(method, path, entry))
        .map(({ key }) => `${method} ${path.replace(':relation', key)}`)
    })

  const listed = JSON.parse((await svc(folder, 'routes', '--json')).out)
  const lines = listed.map((each: Record<string, string>) => `${each['method']} ${each['path']}`)
  expect(lines.toSorted()).toEqual([...new Set(served)].toSorted())
  await close()
})

const stored = {
  belongsTo: 'one',
  morphTo: 'one',
  hasOne: 'below',
  hasMany: 'below',
  morphOne: 'below',
  morphMany: 'below',
  belongsToMany: 'pivot',
  morphToMany: 'pivot',
} as const

/** Only what points at the record is made below it, only pivot rows are attached to it, and what it belongs to is read only. */
function isServed(method: string, path: string, { relation: { kind } }: Entry): boolean {
  if (kind === 'computed' || kind === 'member') return false
  if (/\/(attach|sync|detach)\//.test(path)) return stored[kind] === 'pivot'
  if (method === 'POST') return stored[kind] === 'below'
  return method === 'GET' || stored[kind] !== 'one'
}
