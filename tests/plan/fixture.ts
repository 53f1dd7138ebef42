/** Example manifests of `fixtures/`, as blueprints and as rendered projects. */
import { fileURLToPath } from 'node:url'
import { buildBlueprint } from '../../generator/blueprint/blueprint.js'
import { formatProblems } from '../../generator/blueprint/problems.js'
import type { Blueprint, Database } from '../../generator/blueprint/types.js'
import { loadManifest } from '../../generator/load/load-manifest.js'
import { renderProject, type RenderedFile } from '../../generator/plan/render.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export const fixtures = ['blog', 'minimal', 'every-kind', 'awkward-names'] as const
export type Fixture = (typeof fixtures)[number]

/** Examples of `svc new`, which have no goldens. */
type Example = 'shop' | 'team'

/** Each fixture on each database. */
export const cases = fixtures.flatMap((fixture) =>
  (['sqlite', 'postgresql'] as const).map((database) => ({ fixture, database })),
)

export async function blueprintOf(
  fixture: Fixture | Example,
  database: Database,
): Promise<Blueprint> {
  const loaded = await loadManifest(`${root}/fixtures/${fixture}`)
  const built = 'problems' in loaded ? loaded : buildBlueprint(loaded.manifest, loaded)
  if ('problems' in built) throw new Error(formatProblems(built.problems))
  return { ...built.blueprint, database }
}

export async function renderFixture(
  fixture: Fixture | Example,
  database: Database,
): Promise<RenderedFile[]> {
  return renderProject(await blueprintOf(fixture, database), { name: fixture, svckit: '10.0.0' })
}
