import { anyPointer, newBody, pointedNames } from './bodies.js'
import type { Decision, Relation } from './decided.js'
import { listedIn } from './lists.js'
import { outcome, type Outcome, type Trial } from './outcome.js'
import type { Pair } from './pair.js'
import { pairings, pairOn } from './pairings.js'
import { onRecord } from './records.js'
import { rowNamed, type Stage } from './scene.js'

/** Pairs of a row and a related one, each at the route that was decided for them. */
export async function ofRelated(
  stage: Stage,
  decision: Decision,
  of: string,
  relation: Relation,
): Promise<readonly Trial[]> {
  const [, path, does, , key = ''] = decision
  if (does === 'store') return storingBelow(stage, path, of, relation)
  const trials: Trial[] = []
  const isLinked = does !== 'attach' && does !== 'sync'
  for (const pairing of await pairings(stage, of, relation)) {
    const pair = await pairOn(stage, `${of}.${key}`, pairing, isLinked)
    trials.push({ row: pairing.row, outcome: await onPair(pair, decision, relation) })
  }
  return trials
}

async function onPair(
  { scene, parent, related, target }: Pair,
  [, path, does, , key = '']: Decision,
  { is, column, values = {} }: Relation,
): Promise<Outcome> {
  const above = path.replace(':id', String(parent.id))
  if (does === 'index') return (await listedIn(scene, above))(related)
  if (does === 'attach' || does === 'sync' || does === 'detach') {
    const fields = does === 'detach' ? {} : values
    const body = { [key]: [String(related.id)], ...fields }
    return outcome(await scene.send('POST', above, body), [key])
  }
  const at = above.replace(':relatedId', String(related.id))
  const kept = is === 'pointedAt' ? [column] : []
  return onRecord(scene, { does, key: target, row: related, path: at, kept })
}

/** New records below each row; they belong to it, whatever the body says. */
async function storingBelow(
  stage: Stage,
  path: string,
  of: string,
  { targets, column, type }: Relation,
): Promise<readonly Trial[]> {
  const [target] = targets
  if (target === undefined) return []
  const without = type === undefined ? [column] : [column, type]
  const trials: Trial[] = []
  for (const name of Object.keys(await (await stage.scene()).rows(of))) {
    const names = await pointedNames(await stage.scene(), target, without)
    const made = await anyPointer(names, async (called) => {
      const scene = await stage.scene()
      const parent = rowNamed(await scene.rows(of), name)
      const { values, pointers } = await newBody(scene, target, called ?? names[0], without)
      const at = path.replace(':id', String(parent.id))
      return outcome(await scene.send('POST', at, values), pointers)
    })
    trials.push({ row: [name], outcome: made })
  }
  return trials
}
