/** Hooks of children and of records may be an instance of a class, and answer in their own words. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const hooks = `import type { HooksFor, ThingModel } from '#app/Models.js'
import { conflict, HttpError } from '#runtime/errors.js'

class Shared {
  protected readonly kept = 'kept'

  protected isKept(thing: { name: string }): boolean {
    return thing.name === this.kept
  }

  beforeDelete(_context: object, thing: { name: string }): void {
    if (this.isKept(thing)) throw conflict('It is kept.')
  }
}

class Things extends Shared {
  validate(_context: object, { name }: { name?: string }) {
    return name === this.kept + ' by nobody' ? { name: ['Somebody keeps it.'] } : {}
  }

  beforeUpdate(_context: object, thing: { name: string }): void {
    if (this.isKept(thing)) throw new HttpError(409, 'It is locked.', undefined, { 'Retry-After': '5' })
    if (thing.name === 'denied') throw new HttpError(403, 'Only accounting may.')
  }
}

export const ThingHooks: HooksFor<ThingModel> = new Things()
`

describe.each(databases)('hooks of a class on %s', (database) => {
  let project: Project
  let root: number

  beforeAll(async () => {
    project = await openManifest(
      {
        manifest: 'tests/features/child-lists/manifests/gates.ts',
        change: (text) => text.replace('things: repository({', 'things: repository({ hooks: true,'),
        policies: { Thing: { update: '() => true' } },
        files: { 'app/Hooks/ThingHooks.ts': hooks },
      },
      database,
    )
    root = await project.user('Root', { is_admin: true })
  })
  afterAll(() => project.close())

  const thing = (name: string) => project.insert('things', { name, user_id: root })

  it('are called where they are inherited, with the object that has them', async () => {
    const id = await thing('kept')
    const deleted = await project.delete(`/api/svc/things/${id}`, root)
    expect([deleted.status, deleted.body.message]).toEqual([409, 'It is kept.'])
    const changed = await project.patch(`/api/svc/things/${id}`, { name: 'free' }, root)
    expect([changed.status, changed.body.message]).toEqual([409, 'It is locked.'])
    const made = await project.post(
      '/api/svc/things',
      { name: 'kept by nobody', user_id: root },
      root,
    )
    expect([made.status, made.body.errors]).toEqual([422, { name: ['Somebody keeps it.'] }])
  })

  it.each([
    ['kept', 'CONFLICT', 'It is locked.'],
    ['denied', 'FORBIDDEN', 'Only accounting may.'],
  ])('keep their answer about a child: %s', async (name, code, message) => {
    const id = await thing(name)
    const query = `mutation { createBox(input: { name: "B", thing_ids: [${id}] }) { id } }`
    const { body } = await project.post('/graphql', { query }, root)
    expect(body.errors).toMatchObject([{ message, extensions: { code } }])
    expect(body.errors[0].extensions.errors).toBeUndefined()
  })
})
