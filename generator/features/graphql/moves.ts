import { posix } from 'node:path'
import type { Move } from '../../plan/compare/move.js'

/**
 * The files of GraphQL, where the config gives them another folder or the schema another name than
 * they were written with: what was edited in them goes along.
 */
export function graphqlMoves(
  base: ReadonlyMap<string, string>,
  rendered: readonly string[],
): readonly Move[] {
  const [from, ...others] = [...base.keys()].filter(isSchema)
  const to = rendered.find(isSchema)
  if (from === undefined || others.length > 0 || to === undefined || from === to) return []
  const [before, now] = [posix.dirname(from), posix.dirname(to)]
  const beside = [...base.keys()].filter((path) => isBeside(path, before))
  const paths = beside.map((path) => ({ from: path, to: `${now}${path.slice(before.length)}` }))
  return [{ from: '', to: '', paths: [{ from, to }, ...paths], identifiers: new Map() }]
}

const isSchema = (path: string) => path.endsWith('.graphql')

const isBeside = (path: string, folder: string) =>
  path === `${folder}/endpoint.ts` || path.startsWith(`${folder}/Resolvers/`)
