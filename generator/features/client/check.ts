import { posix } from 'node:path'
import type { FeatureCheck } from '../../blueprint/feature.js'
import {
  aText,
  aTruth,
  checkOptions,
  isRecord,
  oneOf,
  show,
  type Shape,
} from '../../blueprint/fields/shapes.js'
import { MANIFEST, type Path, type Report } from '../../blueprint/problems.js'
import type { Manifest } from '../../manifest/manifest.js'

/** The folder of a typed client, and its parts besides functions. */
export type ClientSettings = {
  /** Relative to the project, which it may lie beside; with forward slashes. */
  readonly path: string
  /** Options for TanStack Query. */
  readonly query: 'tanstack' | null
  /** The rules of the server. */
  readonly zod: boolean
}

const example = "'../web/src/api'"

const aClient: Shape = {
  says: 'a folder, or an object with one',
  example,
  holds: (value) => aText.holds(value) || isRecord(value),
}

const CLIENT_OPTIONS = { path: aText, query: oneOf('tanstack'), zod: aTruth }

export const clientCheck: FeatureCheck = {
  options: { client: aClient },
  facts: (manifest, { report }) => checkClient(manifest, report) ?? undefined,
}

/** Reads the client option; null: there is none, or it is reported. */
function checkClient({ client }: Manifest, report: Report): ClientSettings | null {
  if (typeof client === 'string') return settingsAt(client, [MANIFEST, 'client'], {}, report)
  if (!isRecord(client)) return null
  const place = { at: [MANIFEST, 'client'], of: "'client' of the manifest", report }
  const options = checkOptions(client, CLIENT_OPTIONS, place)
  const { path } = options
  if (typeof path === 'string') {
    return settingsAt(path, [MANIFEST, 'client', 'path'], options, report)
  }
  if (client.path === undefined) {
    report({
      rule: 'client-path',
      at: [MANIFEST, 'client'],
      message: "'client' of the manifest does not say where the client goes",
      fix: `client: { path: ${example} }`,
    })
  }
  return null
}

function settingsAt(
  path: string,
  at: Path,
  { query, zod }: Readonly<Record<string, unknown>>,
  report: Report,
): ClientSettings | null {
  const problem = clientPathProblem(path)
  if (problem === null) return clientSettings(path, query === 'tanstack', zod === true)
  report({
    rule: 'client-path',
    at,
    message: `the client is to be written to ${show(path)}, ${problem}`,
    fix: `client: ${example}`,
  })
  return null
}

export const clientSettings = (
  path: string,
  hasQueries: boolean,
  zod: boolean,
): ClientSettings => ({
  path: posix.normalize(path).replace(/\/$/, ''),
  query: hasQueries ? 'tanstack' : null,
  zod,
})

/** Returns the problem with the folder of a client; null: there is none. */
export function clientPathProblem(path: string): string | null {
  if (/^(\/|[A-Za-z]:)|\\/.test(path)) {
    return 'which is not relative to the project, with forward slashes'
  }
  const clean = posix.normalize(path).replace(/\/$/, '')
  if (/(^|\/)\.{1,2}$/.test(clean)) return 'which is the project itself, or holds it'
  const [first = ''] = clean.split('/')
  return taken.has(first) ? `and '${first}' is for other files` : null
}

/** Folders of a project that svc, Prisma and npm write. */
const taken = new Set([
  ...['app', 'config', 'dist', 'manifest', 'node_modules', 'prisma', 'routes', 'runtime'],
  ...['scripts', 'storage', 'tests', '.git', '.svc'],
])
