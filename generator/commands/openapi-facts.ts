import type { Blueprint } from '../blueprint/types.js'
import { readConfig } from '../load/code-names.js'
import {
  usualFacts,
  type ConfigFacts,
  type Data,
  type OpenapiFacts,
} from '../plan/openapi/facts.js'
import { emptyOwn, readOwn } from '../plan/openapi/own.js'
import { ownPath } from '../plan/openapi/paths.js'
import { ProblemsError } from '../plan/problems-error.js'
import type { Served } from '../plan/served-routes.js'
import { svcPaths, type Target } from '../write/target.js'
import { readCodeNames, readerIn, type Read } from './code-facts.js'

/** What the document, and the client, need of the developer's own files. */
export async function readOpenapi(target: Target, blueprint: Blueprint): Promise<OpenapiFacts> {
  const read = readerIn(target)
  return {
    additions: ownOf(read(ownPath)),
    served: await servedOf(read),
    code: await readCodeNames(read, blueprint),
    config: await configOf(read, blueprint),
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
function changed(path: string, read: Read): string | null {
  const text = read(path)
  return text === read(`${svcPaths.base}/${path}`) ? null : text
}

async function servedOf(read: Read): Promise<readonly Served[] | null> {
  const text = changed(routesPath, read)
  if (text === null) return null
  const { servedRoutes } = await import('../plan/served-routes.js')
  return servedRoutes(routesPath, 'api', read)
}

const routesPath = 'routes/api.ts'

async function configOf(read: Read, { auth }: Blueprint): Promise<ConfigFacts> {
  const text = changed('config/svc.ts', read)
  if (text === null) return usualFacts(auth !== null).config
  const { config, docs } = await readConfig(text)
  const { middleware, auth: signIn } = dataIn(config)
  const said = dataIn(signIn)
  const fields = said['register_fields']
  const names = Array.isArray(middleware) ? middleware : null
  return {
    hasGuard: auth !== null && (names?.some((name) => /^auth:/.test(String(name))) ?? true),
    registerFields: Array.isArray(fields) ? fields.map(String) : null,
    verifyEmail: said['verify_email'] === true,
    document: readersOf(dataIn(docs)['document'], auth !== null),
  }
}

const dataIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** Where there are no tokens, a document that wants one is nobody's. */
function readersOf(said: unknown, hasTokens: boolean): ConfigFacts['document'] {
  if (said === 'token') return hasTokens ? 'token' : 'off'
  return said === 'off' ? 'off' : 'public'
}

/** Who may read the document of a project; `off` where it has none. */
export async function readersOfDocument(
  target: Target,
  blueprint: Blueprint,
): Promise<ConfigFacts['document']> {
  if (blueprint.openapi !== true) return 'off'
  const read = readerIn(target)
  return (await configOf(read, blueprint)).document
}
