/** Files of a repository that nothing changed are not rendered again: what comes of it is what rendering all would give. */
import { describe, expect, test } from 'vitest'
import type { Blueprint } from '../../../generator/blueprint/types.js'
import { defaultSettings } from '../../../generator/features/graphql/settings.js'
import type { ProjectOptions } from '../../../generator/plan/project.js'
import type { Tidied } from '../../../generator/source/tidy.js'
import { renderProject } from '../../support/with-features.js'
import { changedEntities, changedProjects } from './changed-blueprints.js'
import { blueprintOf } from './fixture.js'

const plain = { name: 'app', svckit: '10.0.0' }

interface Made {
  readonly from: string
  readonly text: string
}

const formatted = new Map<string, string>()

/** The memory of a run, and the number of files that it took as they were. */
function memoryOf(known: ReadonlyMap<string, Made> = new Map()) {
  const made = new Map(known)
  const counts = { again: 0 }
  const cache: Tidied = {
    find: (path, text) => formatted.get(`${path} ${text}`) ?? null,
    note: (path, text, content) => void formatted.set(`${path} ${text}`, content),
    again: (path, from) => {
      const found = known.get(path)
      if (found?.from !== from) return null
      counts.again += 1
      return found.text
    },
    made: (path, from, text) => void made.set(path, { from, text }),
    parts: () => null,
    noteParts: () => {},
  }
  return { cache, counts, made }
}

const changedOptions: Readonly<Record<string, Partial<ProjectOptions>>> = {
  'no GraphQL': {
    facts: {
      graphql: { settings: { ...defaultSettings, enabled: false }, closed: new Map() },
    },
  },
  'a policy that was deleted': { deleted: new Set(['app/Policies/PostPolicy.ts']) },
}

describe('what a run takes from the last one is what it would write', async () => {
  const blueprint = await blueprintOf('blog', 'sqlite')
  const first = memoryOf()
  await renderProject(blueprint, { ...plain, tidied: first.cache })
  const expectFresh = async (next: Blueprint, options: Partial<ProjectOptions> = {}) => {
    const { cache, counts } = memoryOf(first.made)
    const given = { ...plain, ...options }
    const files = await renderProject(next, { ...given, tidied: cache })
    expect(files).toEqual(await renderProject(next, { ...given, tidied: memoryOf().cache }))
    return counts.again
  }

  test('nothing changed', async () => {
    const files = await renderProject(blueprint, plain)
    const own = /^app\/(Repositories|Http\/Controllers\/svc|Policies|Hooks)\//
    const ofRepositories = files.filter(({ path }) => own.test(path)).length
    expect(await expectFresh(blueprint)).toBeGreaterThanOrEqual(ofRepositories)
  })

  test.each(Object.entries(changedEntities))('%s, in each repository', async (_what, change) => {
    for (const each of blueprint.entities) {
      const entities = blueprint.entities.map((other) => (other === each ? change(other) : other))
      await expectFresh({ ...blueprint, entities })
    }
  })

  test.each(Object.entries(changedProjects))('%s', async (_what, change) => {
    await expectFresh(change(blueprint))
  })

  test.each(Object.entries(changedOptions))('%s', async (_what, options) => {
    await expectFresh(blueprint, options)
  })

  test('a field of one repository leaves the files of others', async () => {
    const [one, ...others] = blueprint.entities
    if (one === undefined) throw new Error('The blog has repositories.')
    const columns = one.columns.map((column) => ({ ...column, max: 7 }))
    const taken = await expectFresh({ ...blueprint, entities: [{ ...one, columns }, ...others] })
    expect(taken).toBeGreaterThan(others.length)
  })
})
