import type { Blueprint, Entity } from '../../blueprint/types.js'
import { readNames } from '../../load/code-names.js'
import { readRowGates } from '../../load/field-gates.js'
import { hooksPath, policyPath } from '../../plan/project.js'
import { noNames, type CodeNames } from '../../source/code-names.js'
import { at, type Target } from '../target.js'

export type Read = (path: string) => string | null

/** Problems with a file are reported when files are compared. */
export const readerIn =
  (target: Target): Read =>
  (path) => {
    const file = at(target, path)
    return target.files.kind(file) === 'file' ? target.files.read(file) : null
  }

/** By URI key: what policies and hooks name. */
export async function readCodeNames(
  read: Read,
  { entities }: Blueprint,
): Promise<ReadonlyMap<string, CodeNames>> {
  const code = await Promise.all(
    entities.map(async (entity) => [entity.key, await codeOf(entity, read)] as const),
  )
  return new Map(code.flatMap(([key, names]) => (names === null ? [] : [[key, names] as const])))
}

/** Files that say nothing of what is asked here are not run. */
async function codeOf(entity: Entity, read: Read): Promise<CodeNames | null> {
  const policy = read(policyPath(entity)) ?? ''
  const hooks = read(hooksPath(entity)) ?? ''
  const hasGates = /\bcan(?:See|Store|Update)\b/.test(policy)
  const hasNames = /\b(?:fill|fillOnStore|attachCallback|detachCallback)\b/.test(hooks)
  if (!hasGates && !hasNames) return null
  const gates = hasGates ? await gatesIn(policy, `${entity.name}Policy`) : noNames.gates
  const named = hasNames
    ? await readNames(hooks, `${entity.name}Hooks`, [
        ...['fill', 'fillOnStore', 'attachCallback', 'detachCallback'],
      ])
    : null
  return { ...noNames, ...named, gates }
}

async function gatesIn(policy: string, exported: string): Promise<CodeNames['gates']> {
  const names = await readNames(policy, exported, ['canSee', 'canStore', 'canUpdate'])
  if (names === null) return null
  const byRow = await readRowGates(policy, exported)
  return { ...(names as NonNullable<CodeNames['gates']>), byRow } // the members that were asked for
}
