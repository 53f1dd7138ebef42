import type { Entity } from '../../blueprint/types.js'
import type { Project } from '../project.js'

/**
 * Those that the tests of a project can make rows of. Of a table that was there before, some columns may be required and no
 * field, and the database may check values in its own way; nor can be made what must point at such a row.
 */
export function testedEntities({
  entities,
  tablesWithoutRows = [],
  entity,
}: Project): readonly Entity[] {
  const isMade = ({ table, columns }: Entity) =>
    !tablesWithoutRows.some(
      (each) =>
        each.table === table && !columns.some(({ name, stored = name }) => stored === each.column),
    )
  const canBeMade = (each: Entity, below: readonly string[] = []): boolean =>
    isMade(each) &&
    each.columns.every(
      ({ nullable, references }) =>
        references === undefined ||
        nullable ||
        below.includes(references.entity) ||
        canBeMade(entity(references.entity), [...below, each.key]),
    )
  return tablesWithoutRows.length === 0 ? entities : entities.filter((each) => canBeMade(each))
}

/** Nothing else is left to try where none of them is. */
export const hasTested = (project: Project): boolean => testedEntities(project).length > 0
