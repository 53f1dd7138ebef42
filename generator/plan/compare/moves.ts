import type { Blueprint, Entity } from '../../blueprint/types.js'
import { formerNames } from '../../migrations/diff/renames.js'
import { readModels } from '../../migrations/schema/datamodel.js'
import { renameIdentifiers, type Identifiers } from '../../source/rename-identifiers.js'
import { ownOutputs, type PlannedFeature } from '../feature.js'
import { outputs } from '../render/outputs.js'
import type { PlanFile, Snapshot } from '../status.js'
import type { Move } from './move.js'

/** Endings of the names that emitted files export for a repository. */
const suffixes = [
  '',
  'Model',
  'Repository',
  'Controller',
  'Policy',
  'Hooks',
  'Resolver',
  'Filters',
  'FilterValues',
]

/** Every move that a `renamedFrom` asks for; a project makes each once. `schema`: svc's own from before. */
export function movesOf(
  blueprint: Blueprint,
  features: readonly PlannedFeature[],
  schema: string | null,
): readonly Move[] {
  const renamed = blueprint.entities.filter(({ renamedFrom }) => renamedFrom !== undefined)
  if (renamed.length === 0) return []
  const models = readModels(schema ?? '')
  return renamed.flatMap((entity) => {
    const before = formerNames(entity.renamedFrom ?? entity.key, models).name
    return before === entity.name ? [] : [moveOf(entity, before, features)]
  })
}

function moveOf(
  { key, name, renamedFrom = '' }: Entity,
  before: string,
  features: readonly PlannedFeature[],
): Move {
  const named = [...outputs, ...ownOutputs(features)]
    .filter(({ of }) => of === 'entity')
    .map(({ path }) => path)
  const paths = named.map((path) => {
    return { from: path.replace('Name', before), to: path.replace('Name', name) }
  })
  const identifiers = suffixes.map((end) => [`${before}${end}`, `${name}${end}`] as const)
  return { from: renamedFrom, to: key, paths, identifiers: new Map(identifiers) }
}

export interface Moved {
  /** The project as if the files had their names of today already. */
  readonly snapshot: Snapshot
  /** The names on the disk, by the new names. */
  readonly origins: ReadonlyMap<string, string>
  /** The moves that were due. */
  readonly moves: readonly Move[]
}

/** Files of the old name that svc wrote, where there are none of the new one. */
export async function applyMoves(
  snapshot: Snapshot,
  moves: readonly Move[],
  rendered: ReadonlySet<string>,
): Promise<Moved> {
  const [disk, base] = [new Map(snapshot.disk), new Map(snapshot.base)]
  const origins = new Map<string, string>()
  for (const { paths, identifiers } of moves) {
    for (const { from, to } of paths) {
      const isDue = base.has(from) && !rendered.has(from) && !base.has(to) && !disk.has(to)
      if (!isDue || !rendered.has(to)) continue
      await rekey(base, from, to, identifiers)
      await rekey(disk, from, to, identifiers)
      origins.set(to, from)
    }
  }
  const due = moves.filter(({ paths }) => paths.some(({ to }) => origins.has(to)))
  return { snapshot: { ...snapshot, disk, base }, origins, moves: due }
}

async function rekey(
  texts: Map<string, string>,
  from: string,
  to: string,
  identifiers: Identifiers,
): Promise<void> {
  const text = texts.get(from)
  texts.delete(from)
  if (text !== undefined) texts.set(to, await renameIdentifiers(text, identifiers))
}

/** A planned file as the disk sees it: there is nothing of the new name yet, and the old one goes. */
export function asMoved(file: PlanFile, from: string, snapshot: Snapshot): readonly PlanFile[] {
  const isHere = snapshot.disk.has(from)
  const isMoved = isHere && file.status !== 'conflict'
  const empty = { rendered: null, aside: null, note: null, content: null, base: null } as const
  const before = snapshot.disk.get(from) ?? null
  const baseBefore = snapshot.base.get(from) ?? null
  const moved = { ...file, before: null, baseBefore: null, movedFrom: from }
  return [
    isMoved ? { ...moved, status: 'move' } : { ...moved, content: isHere ? moved.content : null },
    {
      path: from,
      owner: file.owner,
      status: 'remove',
      before,
      baseBefore,
      ...empty,
      movedTo: file.path,
    },
  ]
}
