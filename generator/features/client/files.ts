import { posix } from 'node:path'
import type { Entity } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { layOut } from '../../plan/template.js'
import { packageFile } from '../../source/package-files.js'
import { importedFile, specifiersIn } from '../../source/specifiers.js'
import { tidy } from '../../source/tidy.js'
import { apiOf } from '../openapi/api.js'
import { knownRoutes } from '../openapi/document.js'
import type { ClientSettings } from './check.js'
import { clientHead } from './head.js'
import { clientOf } from './names.js'
import { clientOutputs } from './outputs.js'

/** A file of a client, which is written whole each time. */
export interface ClientFile {
  /** Relative to the project, which the client may lie beside: `../web/src/api/posts.ts`. */
  readonly path: string
  readonly content: string
}

/** The client of a project. Pure: the same project gives the same files. */
export async function clientFiles(
  project: Project,
  settings: ClientSettings,
): Promise<readonly ClientFile[]> {
  const api = await apiOf(project)
  const client = await clientOf(api)
  const routes = knownRoutes(api)
  const laidOut = clientOutputs
    .filter(({ when }) => when?.(settings) ?? true)
    .flatMap((output) => {
      if (output.of === 'client') {
        const auth = routes.filter(({ does }) => does.is === 'feature' && does.feature === 'signIn')
        return fileOf(output.path, output.path, output.view(client, auth))
      }
      return project.entities.flatMap((entity) => {
        const path = output.path.replace('name', client.module(entity))
        return fileOf(output.path, path, output.view(entity, client, routesOf(entity, routes)))
      })
    })
  const ofFeatures = [...client.parts].flatMap(([feature, { module }]) => {
    const own = routes.filter(({ does }) => does.is === 'feature' && does.feature === feature)
    return module === undefined || own.length === 0
      ? []
      : fileOf(module.path, module.path, module.view(client, own))
  })
  const rules = settings.zod ? serverRules(laidOut.map(({ text }) => text)) : []
  const all = [...laidOut, ...ofFeatures, ...rules].map(async ({ path, text }) => {
    const at = posix.join(settings.path, path)
    const known = project.tidied?.find(at, text) ?? null
    const content = known ?? (await tidy(at, text))
    if (known === null) project.tidied?.note(at, text, content)
    return { path: at, content }
  })
  return (await Promise.all(all)).toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

function fileOf(template: string, path: string, view: object | null) {
  return view === null ? [] : [{ path, text: layOut(`client/${template}`, view) }]
}

/** The routes of a repository; those that are registered twice, once. */
function routesOf({ key }: Entity, routes: readonly KnownRoute[]): readonly KnownRoute[] {
  const own = new Map<string, KnownRoute>()
  for (const route of routes) {
    const { does } = route
    if (!('entity' in does) || does.entity?.key !== key) continue
    const names = ['key' in does ? does.key : '', 'name' in does ? does.name : '']
    const id = [does.is, does.operation, ...names].join(' ')
    if (!own.has(id)) own.set(id, route)
  }
  return [...own.values()]
}

/** The very functions that check bodies in the server, which nothing of Node's is needed for. */
function serverRules(texts: readonly string[]) {
  const reached = new Map<string, string>()
  const follow = (from: string, text: string): void => {
    for (const specifier of specifiersIn(text)) {
      const file = importedFile(from, specifier)
      if (file === null || reached.has(file) || !file.startsWith('rules/')) continue
      const content = packageFile(file.replace('rules/', 'runtime/'))
      reached.set(file, content)
      follow(file, content)
    }
  }
  for (const text of texts) follow('client.ts', text)
  follow('rules/errors.ts', "import './input/messages.js'")
  return [...reached].map(([path, text]) => ({ path, text: serverHead + text }))
}

const serverHead = `${clientHead}from the rules of the server. Overwritten each time.\n\n`
