import type { Blueprint } from '../blueprint/types.js'
import { isInBlueprint, type PlannedFeature } from './feature.js'
import {
  hooksPath,
  type Derived,
  type FeatureFacts,
  type Project,
  type ProjectOptions,
} from './project.js'
import { fillSlots } from './render/slots.js'

/** A project, with all that its features are. */
export interface DescribedProject extends Project {
  readonly features: readonly PlannedFeature[]
}

/** Prepares a blueprint for the views; asks nothing of the disk. */
export function describeProject(
  given: Blueprint,
  features: readonly PlannedFeature[],
  options: ProjectOptions,
): DescribedProject {
  const deleted = options.deleted ?? new Set()
  const blueprint = withoutDeleted(given, deleted)
  const entities = new Map(blueprint.entities.map((entity) => [entity.key, entity]))
  const pivots = new Map(blueprint.pivots.map((pivot) => [pivot.table, pivot]))
  const entity = (key: string) => found(entities.get(key), `repository '${key}'`)
  const facts = options.facts ?? {}
  const project = {
    ...options,
    blueprint,
    entities: blueprint.entities,
    deleted,
    lostHooks: given.entities
      .filter((each) => each.hasHooks && deleted.has(hooksPath(each)))
      .map(hooksPath),
    facts,
    runtime: options.runtime ?? null,
    derived: derivedFrom(blueprint, features, facts),
    isSqlite: blueprint.database === 'sqlite',
    auth: blueprint.auth === null ? null : entity(blueprint.auth),
    entity,
    pivot: (table: string) => found(pivots.get(table), `pivot table '${table}'`),
  }
  return withFeatures({ ...project, features: [], slots: fillSlots([]), texts: [] }, features)
}

// Each feature says that it derives its part.
const derivedFrom = (
  blueprint: Blueprint,
  features: readonly PlannedFeature[],
  facts: FeatureFacts,
) => Object.assign({}, ...features.map(({ derive }) => derive?.(blueprint, facts))) as Derived

function withFeatures(project: Project, features: readonly PlannedFeature[]): DescribedProject {
  const on = features.filter(
    ({ name, isOn }) => isOn?.(project) ?? isInBlueprint(name, project.blueprint),
  )
  const described = { ...project, features: on }
  return {
    ...described,
    slots: fillSlots(on.map(({ slots }) => slots?.(described) ?? {})),
    texts: on.flatMap(({ texts }) => texts?.(described) ?? []),
  }
}

/** Without its hooks file, a repository computes nothing. */
function withoutDeleted(blueprint: Blueprint, deleted: ReadonlySet<string>): Blueprint {
  if (deleted.size === 0) return blueprint
  const entities = blueprint.entities.map((entity) =>
    deleted.has(hooksPath(entity)) ? { ...entity, hasHooks: false, computed: [] } : entity,
  )
  return { ...blueprint, entities }
}

// The blueprint is checked: a miss is a bug of ours, not a mistake in the manifest.
function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`the blueprint speaks of ${what} and has none`)
  return value
}
