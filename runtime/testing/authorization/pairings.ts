import type { Relation } from './decided.js'
import { link } from './link.js'
import { ofOwners } from './owned-pairs.js'
import type { Pair, Pairing } from './pair.js'
import { rowNamed, stageOf, type Scene, type Stage } from './scene.js'

const pairsOn = new WeakMap<Stage, Map<string, Promise<Pair>>>()

/** A pair in a scene of its own, as it was left, unless a request changed something. */
export function pairOn(
  stage: Stage,
  relation: string,
  { row, make }: Pairing,
  isLinked: boolean,
): Promise<Pair> {
  const pairs = pairsOn.get(stage) ?? new Map<string, Promise<Pair>>()
  pairsOn.set(stage, pairs)
  const name = `${relation} ${row.join('/')} ${isLinked}`
  const ownStage = () => stageOf(stage.project, stage.role, () => pairs.delete(name))
  const pair = pairs.get(name) ?? make(ownStage(), isLinked)
  pairs.set(name, pair)
  return pair
}

const pairingsOf = new WeakMap<Relation, Map<string, Promise<readonly Pairing[]>>>()

/**
 * Each row with each of those it may be related to. Whose a row is stays as the world has it: what
 * points at its user goes on pointing there, and the pair is named after one of the two.
 */
export function pairings(
  stage: Stage,
  of: string,
  relation: Relation,
): Promise<readonly Pairing[]> {
  const known = pairingsOf.get(relation) ?? new Map<string, Promise<readonly Pairing[]>>()
  pairingsOf.set(relation, known)
  const found = known.get(stage.role) ?? allPairings(stage, of, relation)
  known.set(stage.role, found)
  return found
}

/** In a scene of their own: a user who has one phone cannot have another. */
async function allPairings(
  { project, role }: Stage,
  of: string,
  relation: Relation,
): Promise<readonly Pairing[]> {
  const all: Pairing[] = []
  for (const target of relation.targets) {
    all.push(...(await ofTarget(await stageOf(project, role).scene(), of, relation, target)))
  }
  return all
}

async function ofTarget(
  scene: Scene,
  of: string,
  relation: Relation,
  target: string,
): Promise<readonly Pairing[]> {
  const parents = await scene.rows(of)
  const children = await scene.rows(target, 'related')
  const owned = await ofOwners(scene, of, relation, target, { parents, children })
  if (owned.length > 0) return owned
  const prefix = relation.targets.length > 1 ? `${target} ` : ''
  return Object.keys(parents).flatMap((name) =>
    Object.keys(children)
      .filter((child) => of !== target || parents[name]?.id !== children[child]?.id)
      .map((child) => ({
        row: [name, prefix + child],
        make: async (stage: Stage, isLinked: boolean) => {
          const made = await stage.scene()
          const parent = rowNamed(await made.rows(of), name)
          const related = rowNamed(await made.rows(target, 'related'), child)
          const ends = [
            { key: of, row: parent },
            { key: target, row: related },
          ] as const
          if (isLinked) await link(made.project, relation, ...ends)
          return { scene: made, parent, related, target }
        },
      })),
  )
}
