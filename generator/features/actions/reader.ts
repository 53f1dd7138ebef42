import type { Entity } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import type { FeatureReader } from '../../write/feature.js'
import { at, type Target } from '../../write/target.js'
import { actionsFact } from './check.js'

/** As svc writes it. */
const unwritten = /\bnotWritten\('(\w+)'\)/g

/** `svc generate` says which of them do nothing yet. */
export const actionsReader: FeatureReader = {
  advice: async (target, blueprint) =>
    blueprint.entities
      .filter((entity) => actionsFact.in(blueprint, entity) !== null)
      .flatMap((entity) => unwrittenIn(target, entity)),
}

function unwrittenIn(target: Target, { name }: Entity): readonly Advice[] {
  const path = `app/Actions/${name}Actions.ts`
  const file = at(target, path)
  if (target.files.kind(file) !== 'file') return []
  const names = [...(target.files.read(file) ?? '').matchAll(unwritten)].map(([, key]) => key)
  if (names.length === 0) return []
  return [
    {
      rule: 'unwritten-actions',
      at: path,
      message: `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not written yet, and ${names.length === 1 ? 'answers' : 'answer'} 501`,
      fix: 'write what happens, and open the method of the policy to those who may run it',
    },
  ]
}
