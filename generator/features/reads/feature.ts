import type { Entity } from '../../blueprint/types.js'
import type { Project, Surroundings } from '../../plan/project.js'
import type { Feature } from '../../write/feature.js'
import { readsCheck, readsIn } from './check.js'
import { readsReader } from './reader.js'
import { readRows, type ReadName } from './words.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** By URI key, what may be asked of a repository besides. */
    readonly reads: ReadonlyMap<string, readonly ReadName[]>
  }
}

const usual = readRows.filter(({ isUsual }) => isUsual).map(({ name }) => `'${name}'`)

/** The word in the manifest; what it names is in folders of its own. */
export const reads: Feature = {
  name: 'reads',
  check: readsCheck,
  reader: readsReader,
  derive: (blueprint) => ({ reads: readsIn(blueprint) }),
  isUsual: () => usual.length > 0,
  usualWord: `reads: [${usual.join(', ')}],`,
}

/** Whether a project has it anywhere. */
export const isReadIn = ({ derived }: Pick<Project, 'derived'>, name: ReadName): boolean =>
  [...derived.reads.values()].some((each) => each.includes(name))

/** Whether a repository has it. */
export const hasRead = (
  { key }: Pick<Entity, 'key'>,
  { derived }: Pick<Surroundings, 'derived'>,
  name: ReadName,
): boolean => derived.reads.get(key)?.includes(name) === true
