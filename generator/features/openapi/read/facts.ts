import { ProblemsError } from '../../../blueprint/problems-error.js'
import type { Blueprint } from '../../../blueprint/types.js'
import { readConfig } from '../../../load/code-names.js'
import { isInBlueprint } from '../../../plan/feature.js'
import type { Served } from '../../../plan/routes/served-routes.js'
import { baseText } from '../../../write/base/base-store.js'
import { readCodeNames, readerIn } from '../../../write/project/code-names.js'
import type { Target } from '../../../write/target.js'
import { readDescribed } from '../../described-routes/read/described.js'
import { usualFacts, type ConfigFacts, type Data, type OpenapiFacts } from '../facts.js'
import { ownPath } from '../operations/paths.js'
import { emptyOwn, merged, readOwn } from '../own.js'

/** Reads the developer's own files for the document and the client. */
export async function readOpenapi(target: Target, blueprint: Blueprint): Promise<OpenapiFacts> {
  const read = readerIn(target)
  const { said, problems, places } = await readDescribed(target, blueprint)
  if (problems.length > 0) throw new ProblemsError(problems)
  return {
    additions: merged(said ?? {}, ownOf(read(ownPath))),
    described: said,
    describedAt: places,
    served: await servedOf(target),
    code: await readCodeNames(read, blueprint),
    config: await configOf(target, blueprint),
  }
}

function ownOf(text: string | null): Data {
  const found = text === null || text === emptyOwn ? {} : readOwn(text)
  if (typeof found !== 'string') return found
  throw new ProblemsError([
    {
      file: ownPath,
      line: 1,
      column: 1,
      rule: 'openapi-own',
      message: `it cannot be read: ${found}`,
    },
  ])
}

/** The text of a file that is not as svc wrote it, which alone need be read. */
function changed(path: string, target: Target): string | null {
  const text = readerIn(target)(path)
  return text === baseText(target, path) ? null : text
}

async function servedOf(target: Target): Promise<readonly Served[] | null> {
  const text = changed(routesPath, target)
  if (text === null) return null
  const { servedRoutes } = await import('../../../plan/routes/served-routes.js')
  return servedRoutes(routesPath, 'api', readerIn(target))
}

const routesPath = 'routes/api.ts'

async function configOf(target: Target, { auth }: Blueprint): Promise<ConfigFacts> {
  const text = changed('config/svc.ts', target)
  if (text === null) return usualFacts(auth !== null).config
  const { config, docs } = await readConfig(text)
  const { middleware, auth: signIn } = dataIn(config)
  const said = dataIn(signIn)
  const fields = said['register_fields']
  const names = Array.isArray(middleware) ? middleware : null
  return {
    hasGuard:
      auth !== null && (names?.some((name) => /^auth:(?!optional$)/.test(String(name))) ?? true),
    registerFields: Array.isArray(fields) ? fields.map(String) : null,
    verifyEmail: said['verify_email'] === true,
    document: readersOf(dataIn(docs)['document'], auth !== null),
  }
}

const dataIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** A document that wants a token is nobody's where there are no tokens. */
function readersOf(said: unknown, hasTokens: boolean): ConfigFacts['document'] {
  if (said === 'token') return hasTokens ? 'token' : 'off'
  return said === 'off' ? 'off' : 'public'
}

/** Reads who may read the document of a project; `off` where it has none. */
export async function readersOfDocument(
  target: Target,
  blueprint: Blueprint,
): Promise<ConfigFacts['document']> {
  if (!isInBlueprint('openapi', blueprint)) return 'off'
  return (await configOf(target, blueprint)).document
}
