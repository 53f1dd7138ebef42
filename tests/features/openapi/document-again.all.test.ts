/** The document takes lines from the last one, where nothing they are made of changed: it is what writing all would give. */
import { describe, expect, test } from 'vitest'
import type { Blueprint, Entity } from '../../../generator/blueprint/types.js'
import { apiOf } from '../../../generator/features/openapi/api.js'
import { writtenDocument } from '../../../generator/features/openapi/document-thread.js'
import { openapiDocument, writeDocument } from '../../../generator/features/openapi/document.js'
import { usualFacts } from '../../../generator/features/openapi/facts.js'
import { keptOf, madeOf } from '../../../generator/features/openapi/last-document.js'
import type { ProjectOptions } from '../../../generator/plan/project.js'
import type { Served } from '../../../generator/plan/routes/served-routes.js'
import { noNames } from '../../../generator/source/code-names.js'
import type { Parts, Tidied } from '../../../generator/source/tidy.js'
import { changedEntities, changedProjects } from '../../core/plan/changed-blueprints.js'
import { blueprintOf } from '../../core/plan/fixture.js'
import { describeProject } from '../../support/with-features.js'

const plain = { name: 'app', svckit: '10.0.0' }
const projectOf = (blueprint: Blueprint, options: Partial<ProjectOptions> = {}) =>
  describeProject(blueprint, { ...plain, ...options })

/** Changes that only a document shows. */
const described: Readonly<Record<string, (entity: Entity) => Entity>> = {
  'another description': (entity) => ({ ...entity, description: 'Said anew.' }),
  'nothing to match by': (entity) => ({ ...entity, match: [] }),
  'nothing to search': (entity) => ({ ...entity, searchable: [] }),
  'ids of another kind': (entity) => ({ ...entity, id: entity.id === 'uuid' ? 'integer' : 'uuid' }),
  'columns that point nowhere': (entity) => ({
    ...entity,
    columns: entity.columns.filter((column) => !('references' in column || 'owners' in column)),
  }),
  'columns that are unique together': (entity) => ({
    ...entity,
    unique: [entity.columns.map(({ name }) => name)],
  }),
}

const facts = usualFacts(true)
const otherPlace: Served = {
  is: 'call',
  name: 'svcResources',
  below: '/v2',
  lists: {},
  place: 'routes/api.ts:1',
  text: 'svcResources(api)',
}
const ownSchemas = {
  schemas: { PostStore: { description: 'Mine.' }, Mine: { type: 'string' }, Post: true },
}
const changedFacts: Readonly<Record<string, Partial<ProjectOptions>>> = {
  'own additions': {
    facts: { openapi: { ...facts, additions: { components: ownSchemas, paths: { '/mine': {} } } } },
  },
  'hooks that fill': {
    facts: {
      openapi: {
        ...facts,
        code: new Map([['posts', { ...noNames, fill: new Set(['title', 'name', 'body']) }]]),
      },
    },
  },
  'no guard': { facts: { openapi: { ...facts, config: { ...facts.config, hasGuard: false } } } },
  'other routes': { facts: { openapi: { ...facts, served: [otherPlace] } } },
  'strict queries': { hasStrictQueries: true },
}

describe.each(['blog', 'awkward-names'] as const)('%s', async (fixture) => {
  const blueprint = await blueprintOf(fixture, 'sqlite')
  const made = async (next: Blueprint, options: Partial<ProjectOptions> = {}) => {
    const api = await apiOf(projectOf(next, options))
    return { api, text: writeDocument(api).text }
  }
  const first = await made(blueprint)

  /** How many repositories are as they were. */
  function expectFresh(last: typeof first, { api, text }: typeof first): number {
    const kept = keptOf(last.text, madeOf(last.api), madeOf(api))
    // What differs is a line or two of thousands.
    expect(writeDocument(api, kept).text === text).toBe(true)
    return api.project.entities.filter(kept.has).length
  }

  /** And back: what nothing referred to is missing from the last document. */
  function expectBothFresh(next: typeof first): void {
    expectFresh(first, next)
    expectFresh(next, first)
  }

  test('nothing changed', () => {
    expect(expectFresh(first, first)).toBe(blueprint.entities.length)
  })

  test.each(Object.entries({ ...changedEntities, ...described }))(
    '%s, in each repository',
    async (_what, change) => {
      for (const each of blueprint.entities) {
        const entities = blueprint.entities.map((other) => (other === each ? change(other) : other))
        expectBothFresh(await made({ ...blueprint, entities }))
      }
    },
  )

  test.each(Object.entries(changedProjects))('%s', async (_what, change) => {
    expectBothFresh(await made(change(blueprint)))
  })

  test.each(Object.entries(changedFacts))('%s', async (_what, options) => {
    // What is public says so only where others ask for a token.
    const [open, ...others] = blueprint.entities
    const entities = open === undefined ? [] : [{ ...open, isPublic: true }, ...others]
    for (const each of [blueprint, { ...blueprint, entities }]) {
      const [usual, changed] = [await made(each), await made(each, options)]
      expectFresh(usual, changed)
      expectFresh(changed, usual)
      expect(expectFresh(changed, changed)).toBe(blueprint.entities.length)
    }
  })

  test('a repository that takes the names of the schemas of another', async () => {
    const [taken] = blueprint.entities
    const entities = blueprint.entities.map((each) =>
      each === blueprint.entities.at(-1) ? { ...each, name: `${taken?.name}Page` } : each,
    )
    expectBothFresh(await made({ ...blueprint, entities: entities.toReversed() }))
  })
})

describe('a large project', async () => {
  const blueprint = await blueprintOf('blog', 'sqlite')
  const copies = (suffix: string, field = 'title') =>
    blueprint.entities.map((entity) => ({
      ...{ ...entity, key: `${entity.key}${suffix}`, name: `${entity.name}${suffix}` },
      ...{ relations: [], morphs: [], members: [], title: field },
    }))
  const many = { ...blueprint, entities: [...blueprint.entities, ...copies('A'), ...copies('B')] }

  /** What a run remembers of the last. */
  function memory() {
    const known = new Map<string, { readonly text: string; readonly made: Parts }>()
    const tidied: Tidied = {
      ...{ find: () => null, note: () => {}, again: () => null, made: () => {} },
      parts: (path) => known.get(path) ?? null,
      noteParts: (path, made, text) => void known.set(path, { made, text }),
    }
    return { tidied, known }
  }

  test('remembers what its document was made of, and says the same whether it does or not', async () => {
    const { tidied, known } = memory()
    const changed = {
      ...many,
      entities: [...blueprint.entities, ...copies('A'), ...copies('B', 'name')],
    }
    for (const next of [many, many, changed, blueprint]) {
      const project = projectOf(next, { tidied, hasStrictQueries: true })
      const written = await writtenDocument(project, 1)
      expect(written).toBe(await openapiDocument(project))
      expect([...known.values()].map(({ text }) => text)).toEqual([written])
    }
  })

  test('writes all where two operations would have one id', async () => {
    const twins = { ...many, entities: [...many.entities, ...copies('a')] }
    const named = twins.entities.map((entity) => ({ ...entity, name: entity.name.toUpperCase() }))
    const { tidied, known } = memory()
    for (const entities of [twins.entities, named]) {
      const project = projectOf({ ...twins, entities }, { tidied })
      expect(await writtenDocument(project, 1)).toBe(await openapiDocument(project))
    }
    expect(await openapiDocument(projectOf({ ...twins, entities: named }))).toContain('storePOSTA2')
    expect(known.size).toBe(1)
  })
})
