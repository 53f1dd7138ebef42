import { fileURLToPath } from 'node:url'
/** Example manifests of `fixtures/`, as blueprints and as rendered projects. */
import { withKept } from '../../../generator/blueprint/blueprint.js'
import { formatProblems } from '../../../generator/blueprint/problems.js'
import type { Blueprint, Database } from '../../../generator/blueprint/types.js'
import { features } from '../../../generator/features/index.js'
import type { RenderedFile } from '../../../generator/plan/render/render.js'
import type { RuntimeForm } from '../../../generator/write/base/lock-file.js'
import { buildBlueprint, loadManifest, renderProject } from '../../support/with-features.js'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

export const fixtures = [
  'blog',
  'minimal',
  'every-kind',
  'awkward-names',
  'wide-ids',
  'ledger',
] as const
export type Fixture = (typeof fixtures)[number]

/** Examples of `svc new`, and projects with one feature more, which have goldens of their own. */
export type Example = 'shop' | 'team' | `features/${string}`

/** Each fixture on each database. */
export const cases = fixtures.flatMap((fixture) =>
  (['sqlite', 'postgresql'] as const).map((database) => ({ fixture, database })),
)

const blueprints = new Map<string, Promise<Blueprint>>()

/** Each fixture is read once in a process; what is given is a copy. */
export async function blueprintOf(
  fixture: Fixture | Example,
  database: Database,
): Promise<Blueprint> {
  const blueprint = blueprints.get(fixture) ?? readBlueprint(fixture)
  blueprints.set(fixture, blueprint)
  return withKept({ ...structuredClone(await blueprint), database }, features)
}

async function readBlueprint(fixture: Fixture | Example): Promise<Blueprint> {
  const loaded = await loadManifest(`${root}/fixtures/${fixture}`)
  const built = 'problems' in loaded ? loaded : buildBlueprint(loaded.manifest, loaded)
  if ('problems' in built) throw new Error(formatProblems(built.problems))
  return built.blueprint
}

/** As if the manifest did not ask for a feature. */
export function without(blueprint: Blueprint, feature: string): Blueprint {
  const others = Object.entries(blueprint.features).filter(([name]) => name !== feature)
  return { ...blueprint, features: Object.fromEntries(others) }
}

const rendered = new Map<string, Promise<readonly RenderedFile[]>>()

/** Each is rendered once in a process. */
export async function renderFixture(
  fixture: Fixture | Example,
  database: Database,
  runtime: RuntimeForm = 'package',
): Promise<RenderedFile[]> {
  const key = `${fixture} ${database} ${runtime}`
  const files = rendered.get(key) ?? render(fixture, database, runtime)
  rendered.set(key, files)
  return [...(await files)]
}

async function render(fixture: Fixture | Example, database: Database, runtime: RuntimeForm) {
  const version = '10.0.0'
  const asked = runtime === 'package' ? version : null
  const options = { name: fixture, svckit: version, runtime: asked }
  return renderProject(await blueprintOf(fixture, database), options)
}
