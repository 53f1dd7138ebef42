import type { Entity } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import type { Project } from '../../plan/project.js'
import type { FeatureReader } from '../../write/feature.js'
import { at, type Target } from '../../write/target.js'
import { actionsFact } from './check.js'

declare module '../../plan/project.js' {
  interface FeatureFacts {
    /** By repository, the actions and getters that answer 501 as svc wrote them; absent: all of a new project. */
    readonly unwrittenActions?: Readonly<Record<string, readonly string[]>>
  }
}

/** As svc writes it. */
const unwritten = /\bnotWritten\('(\w+)'\)/g

export const actionsReader: FeatureReader = {
  readCode: async (target, { entities, features }) => ({
    unwrittenActions: Object.fromEntries(
      entities.flatMap((entity) => {
        const names =
          actionsFact.in({ features }, entity) === null ? null : unwrittenIn(target, entity)
        return names === null ? [] : [[entity.key, names]]
      }),
    ),
  }),
  /** `svc generate` says which of them do nothing yet. */
  advice: async (target, blueprint) =>
    blueprint.entities
      .filter((entity) => actionsFact.in(blueprint, entity) !== null)
      .flatMap((entity) => adviceOn(target, entity)),
}

/** Returns true if an action or getter has no code yet, as far as its file shows. */
export function isUnwritten(
  { facts }: Pick<Project, 'facts'>,
  { key }: Entity,
  name: string,
): boolean {
  const known = facts.unwrittenActions?.[key]
  return known === undefined || known.includes(name)
}

const pathOf = ({ name }: Entity) => `app/Actions/${name}Actions.ts`

/** Null: there is no file yet. */
function unwrittenIn(target: Target, entity: Entity): readonly string[] | null {
  const file = at(target, pathOf(entity))
  if (target.files.kind(file) !== 'file') return null
  const text = target.files.read(file) ?? ''
  return [...text.matchAll(unwritten)].map(([, name = '']) => name)
}

function adviceOn(target: Target, entity: Entity): readonly Advice[] {
  const names = unwrittenIn(target, entity) ?? []
  if (names.length === 0) return []
  const [is, answers] = names.length === 1 ? ['is', 'answers'] : ['are', 'answer']
  return [
    {
      rule: 'unwritten-actions',
      at: pathOf(entity),
      message: `${names.join(', ')} ${is} not written yet, and ${answers} 501`,
      fix: 'write what happens, and open the method of the policy to those who may run it',
    },
  ]
}
