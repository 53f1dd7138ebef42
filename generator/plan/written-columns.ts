import type { Column, Entity } from '../blueprint/types.js'
import { storedAs } from '../kinds/kinds.js'
import type { CodeNames } from '../source/code-names.js'
import type { Project } from './project.js'

/** The data that decides which columns a write takes. */
export interface Written {
  readonly project: Pick<Project, 'auth'>
  readonly codeOf: (entity: Entity) => CodeNames
}

/** The write that a body is for. */
export type Write = 'store' | 'replace' | 'patch'

/** Columns of power: a body writes them only where a gate of the policy names them. */
const guarded = new Set(['is_admin', 'email_verified_at'])

/** Columns of users that no request writes unless a gate of the policy names them; last the password, which is that of others. */
export const gatedColumns = ({ columns }: Pick<Entity, 'columns'>): readonly string[] => [
  ...columns.flatMap(({ name, readonly }) => (guarded.has(name) && !readonly ? [name] : [])),
  'password',
]

/** The columns that a body may write. */
export function writtenColumns(
  { project, codeOf }: Written,
  entity: Entity,
  write: Write,
): readonly Column[] {
  const { gates, fill, fillOnStore } = codeOf(entity)
  const named = write === 'store' ? gates?.canStore : gates?.canUpdate
  return entity.columns.filter(({ name, role, readonly }) => {
    if (readonly || fill.has(name)) return false
    // A record keeps the id it was given.
    if (role === 'id' && write !== 'store') return false
    if (write === 'store' && fillOnStore.has(name)) return false
    if (entity.key !== project.auth?.key) return true
    // A password changes at its own route, unless a gate lets it.
    const isGated = gates === null || named?.has(name) === true
    return isGated || !(guarded.has(name) || (name === 'password' && write !== 'store'))
  })
}

/** Lists the columns that it needs, whoever sends it: a field whose gate denies is not required. */
export function requiredColumns(written: Written, entity: Entity, write: Write): readonly string[] {
  if (write === 'patch') return []
  const { gates, fillOnStore } = written.codeOf(entity)
  const gated = write === 'store' ? gates?.canStore : gates?.canUpdate
  return writtenColumns(written, entity, write)
    .filter(({ name, nullable, default: preset, hidden, kind, given }) => {
      if (
        given === 'may' ||
        nullable ||
        preset !== undefined ||
        gates === null ||
        gated?.has(name) === true
      )
        return false
      // A PUT leaves alone what no response shows, and what was filled at first.
      const isKept =
        hidden || storedAs({ kind }).isSecret || fillOnStore.has(name) || gates.canSee.has(name)
      return write === 'store' || !isKept
    })
    .map(({ name }) => name)
}
