import type { EntityDraft } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { nearestWord, show, type Shape } from '../../blueprint/fields/shapes.js'
import type { Blueprint, Entity } from '../../blueprint/types.js'
import type { Manifest } from '../../manifest/manifest.js'
import { readRows, type ReadName } from './words.js'

const names: readonly ReadName[] = readRows.map(({ name }) => name)

const someReads: Shape = {
  says: `a list of ${names.map(show).join(', ')}, each once`,
  example: `[${show(names[0])}]`,
  holds: (value) =>
    Array.isArray(value) && value.every(isRead) && new Set(value).size === value.length,
  meant: (value) => {
    if (!Array.isArray(value)) return undefined
    const meant = value.flatMap((each) =>
      isRead(each) ? [show(each)] : (nearestWord(each, names) ?? []),
    )
    return meant.length === 0 ? undefined : `[${[...new Set(meant)].join(', ')}]`
  },
}

const isRead = (value: unknown): value is ReadName => names.some((name) => name === value)

/** Checks `reads`: each word is a feature of its own. */
export const readsCheck: FeatureCheck = {
  options: { reads: someReads },
  repositoryOptions: { reads: someReads },
  facts: (manifest, { drafts }) => {
    const said = drafts.map((draft) => [draft.key, readsOf(draft, manifest)] as const)
    const all = said.filter(([, reads]) => reads.length > 0)
    return all.length === 0 ? undefined : Object.fromEntries(all)
  },
}

/** In the order of the list. What is wrong has been reported. */
export function readsOf({ definition }: EntityDraft, manifest: Manifest): readonly ReadName[] {
  const reads = definition.reads ?? manifest.reads ?? namesBeside(definition.related ?? {})
  return names.filter((name) => Array.isArray(reads) && reads.includes(name))
}

/** The default: all of them, but none whose address a related entry of the repository has. */
const namesBeside = (entries: object): readonly ReadName[] =>
  readRows
    .filter((row) => !('entry' in row && Object.hasOwn(entries, row.entry)))
    .map(({ name }) => name)

export const readsFact = factOf<readonly ReadName[]>('reads')

/** Returns true if lists of a repository have it. */
export const isReadOf = (
  blueprint: Pick<Blueprint, 'features'>,
  entity: Pick<Entity, 'key'>,
  name: ReadName,
): boolean => readsFact.in(blueprint, entity)?.includes(name) === true
