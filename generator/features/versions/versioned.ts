import type { Entity } from '../../blueprint/types.js'
import type { Versioned } from './check.js'

/** Returns the name of a record's version in a list: a field of yours may have that name. */
export const memberOf = ({ columns }: Pick<Entity, 'columns'>, { column }: Versioned): string =>
  columns.some(({ name }) => name === 'version' && name !== column) ? column : 'version'
