import type { Entity, Row, UniqueKeys } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import { answersTest } from '../policy/condition-sql.js'
import { readRow } from './read.js'
import { whichExist } from './which-exist.js'

/**
 * For a repository with several unique keys: a database names one that is taken, and this the
 * others, so that one answer names all.
 * @example unique: uniqueKeys(['email', ['company_id', 'number']])
 */
export const uniqueKeys = <Name extends string>(
  keys: UniqueKeys<Name>['keys'],
): UniqueKeys<Name> => ({ keys, taken: (...asked) => takenKeys(keys, ...asked) })

/** The unique keys that `values` write to, besides the one named, that another row has. */
async function takenKeys(
  keys: UniqueKeys['keys'],
  entity: Entity,
  values: Row,
  id: number | string | null,
  named: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const has = (row: Row, name: string) => getOwn(row, name) !== undefined
  const written = keys
    .map((key) => [key].flat())
    .filter((key) => key.join() !== named.join() && key.some((name) => has(values, name)))
  const isPart = written.some((key) => !key.every((name) => has(values, name)))
  const rest = isPart && id !== null ? await readRow(entity, answersTest(entity, [{ id }])) : null
  const row: Row = Object.assign({}, rest, values)
  const asked = written.filter((key) => key.every((name) => (getOwn(row, name) ?? null) !== null))
  const another = id === null ? true : { id: { not: id } }
  const found = await whichExist(
    entity.database,
    asked.map((key) => [entity, [...key.map((name) => ({ [name]: row[name] })), another]]),
  )
  return asked.filter((_, at) => found[at])
}
