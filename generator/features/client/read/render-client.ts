import type { Blueprint } from '../../../blueprint/types.js'
import { movesOf } from '../../../plan/compare/moves.js'
import { describeProject } from '../../../plan/describe-project.js'
import { deletedPaths } from '../../../write/base/deleted-paths.js'
import type { RenderedWith } from '../../../write/feature.js'
import { svcSchema } from '../../../write/prepare.js'
import type { Target } from '../../../write/target.js'
import { readOpenapi } from '../../openapi/read/facts.js'
import type { ClientSettings } from '../check.js'
import { clientFiles, type ClientFile } from '../files.js'

/** Every file of the project's client as svc writes it today. */
export async function renderClient(
  target: Target,
  blueprint: Blueprint,
  settings: ClientSettings,
  { base, tidied, features }: RenderedWith,
): Promise<readonly ClientFile[]> {
  const project = describeProject(blueprint, features, {
    ...{ name: '', svckit: '' },
    facts: { openapi: await readOpenapi(target, blueprint) },
    deleted: deletedPaths(
      target,
      features,
      movesOf(blueprint, features, base.get(svcSchema) ?? null),
    ),
    ...(tidied === undefined ? {} : { tidied }),
  })
  return clientFiles(project, settings)
}
