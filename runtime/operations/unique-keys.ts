import type { Entity, Row } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import { existing } from '../policy/access.js'
import { answersTest } from '../policy/condition-sql.js'
import { readRow } from './read.js'
import { whichExist } from './which-exist.js'

/** The unique keys that `values` write to, besides the one named, that another row has. */
export async function takenKeys(
  entity: Entity,
  values: Row,
  id: number | string | null,
  named: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const has = (row: Row, name: string) => getOwn(row, name) !== undefined
  const written = (entity.unique ?? [])
    .map((key) => [key].flat())
    .filter((key) => key.join() !== named.join() && key.some((name) => has(values, name)))
  const isPart = written.some((key) => !key.every((name) => has(values, name)))
  const rest = isPart && id !== null ? await readRow(entity, answersTest(entity, [{ id }])) : null
  const row: Row = Object.assign({}, rest, values)
  const asked = written.filter((key) => key.every((name) => (getOwn(row, name) ?? null) !== null))
  const others = [id === null ? true : { id: { not: id } }, ...existing(entity.extensions, null)]
  const found = await whichExist(
    entity.database,
    asked.map((key) => [entity, [...key.map((name) => ({ [name]: row[name] })), ...others]]),
  )
  return asked.filter((_, at) => found[at])
}
