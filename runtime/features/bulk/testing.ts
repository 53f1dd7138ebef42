import type { Entity, Row } from '../../model/entity.js'

/** For `testAuthorization`: bodies of many records that are about one. */
export const ofMany = {
  many: {
    never: ({ columns }: Entity) =>
      [...columns].flatMap(([name, { storage }]) => (storage.isSecret ? [name] : [])),
    store: (entity: Entity, values: object) => [settable(entity, values)],
    patch: (entity: Entity, row: object, values: object) => [
      { ...namedRecord(entity, row), ...settable(entity, values) },
    ],
    delete: (entity: Entity, row: object) => ({ ids: [namedRecord(entity, row)] }),
  },
}

/** No password is set for many at once. */
const settable = ({ columns }: Entity, values: object): Row =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => columns.get(name)?.storage.isSecret !== true),
  )

/** A record by its id, with what it says besides: its version as it is. */
export function namedRecord(entity: Entity, row: object): Row {
  const values: Row = { ...row }
  const members = entity.extensions.flatMap(({ says }): [string, unknown][] => {
    const [column] = Object.values(says?.meta ?? {})
    const members = (says?.parts ?? []).flatMap(({ member }) => member ?? [])
    if (column === undefined) return []
    return members.map((member) => [member.keyIn(entity.columns), values[column]])
  })
  return { id: values['id'], ...Object.fromEntries(members) }
}
