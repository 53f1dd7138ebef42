import type { Blueprint } from '../blueprint/types.js'
import type { GraphqlFacts } from '../plan/graphql/settings.js'
import { movesOf } from '../plan/moves.js'
import { ownVersion } from '../plan/package-files.js'
import { renderProject } from '../plan/render.js'
import type { Rendered } from '../plan/status.js'
import { readBase } from '../write/base-store.js'
import { deletedPaths } from '../write/deleted-paths.js'
import { readLock } from '../write/lock-file.js'
import { svcSchema } from '../write/prepare.js'
import { readProjectFacts } from '../write/project-facts.js'
import { ownImports, readCode } from '../write/read-code.js'
import type { Base, Code } from '../write/snapshot.js'
import type { Target } from '../write/target.js'
import type { TidiedCache } from '../write/tidied.js'
import { readCodeNames, readerIn } from './code-facts.js'
import { readOpenapi } from './openapi-facts.js'

/** What was read of the project already. */
interface Read {
  readonly base: Base
  readonly code: Code
  /** Whether a project that is new has strict queries. */
  readonly isStrict?: boolean | undefined
}

/** Every file of the project as svc writes it today. A deleted file that is taken back counts as there. */
export async function renderFiles(
  target: Target,
  blueprint: Blueprint,
  graphql: GraphqlFacts | undefined,
  takenBack: string | null = null,
  cache?: TidiedCache,
  { base, code: own, isStrict }: Read = { base: readBase(target), code: readCode(target) },
): Promise<readonly Rendered[]> {
  const facts = readProjectFacts(target, isStrict)
  const schema = base.get(svcSchema) ?? null
  const deleted = deletedPaths(target, movesOf(blueprint, schema))
  const gone = new Set([...deleted].filter((path) => path !== takenBack))
  const openapi = blueprint.openapi === true ? await readOpenapi(target, blueprint) : undefined
  const isPrecise = graphql?.settings.enabled === true && graphql.settings.schema.precise
  const code = isPrecise ? { code: await readCodeNames(readerIn(target), blueprint) } : {}
  const options = {
    ...facts,
    ...(openapi === undefined ? {} : { openapi }),
    deleted: gone,
    ownImports: ownImports(own, base),
    ejected: readLock(target, ownVersion)?.ejected.map(({ path }) => path) ?? [],
    ...(graphql === undefined ? {} : { graphql: { ...graphql, ...code } }),
  }
  if (cache === undefined) return renderProject(blueprint, options)
  const inputs = [blueprint, options]
  return cache.whole(inputs, () => renderProject(blueprint, { ...options, tidied: cache }))
}
