import type { Blueprint } from '../../../blueprint/types.js'
import { movesOf } from '../../../plan/compare/moves.js'
import { describeProject } from '../../../plan/describe-project.js'
import type { Tidied } from '../../../source/tidy.js'
import { deletedPaths } from '../../../write/base/deleted-paths.js'
import type { Base } from '../../../write/base/snapshot.js'
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
  { base, tidied }: { readonly base: Base; readonly tidied?: Tidied },
): Promise<readonly ClientFile[]> {
  const project = describeProject(blueprint, {
    ...{ name: '', svckit: '' },
    facts: { openapi: await readOpenapi(target, blueprint) },
    deleted: deletedPaths(target, movesOf(blueprint, base.get(svcSchema) ?? null)),
    ...(tidied === undefined ? {} : { tidied }),
  })
  return clientFiles(project, settings)
}
