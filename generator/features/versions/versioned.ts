import type { Entity } from '../../blueprint/types.js'
import type { Versioned } from './check.js'

/** What a record among others calls the version that it changes: a field of yours may be called so. */
export const memberOf = ({ columns }: Pick<Entity, 'columns'>, { column }: Versioned): string =>
  columns.some(({ name }) => name === 'version' && name !== column) ? column : 'version'
