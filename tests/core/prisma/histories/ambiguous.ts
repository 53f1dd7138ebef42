import { columnsOf, type FieldState, type TableState, type World } from './world.js'

/** A name that means another thing than before, or a rename that the manifest says otherwise or not at all: svc goes by names. */
export function isAmbiguous(before: World, after: World): boolean {
  return after.some((table) =>
    before.some((old) => {
      if (old.id !== table.id) return old.key === table.key
      if (old.key !== table.key && table.renamedFrom !== old.key) return true
      const names = new Map([...columnsOf(old)].map(([id, name]) => [name, id]))
      const isTaken = [...columnsOf(table)].some(([id, name]) => (names.get(name) ?? id) !== id)
      return isTaken || [...table.fields, ...table.links].some((each) => isSilent(each, old))
    }),
  )
}

type Named = Pick<FieldState, 'id' | 'name' | 'renamedFrom'>

function isSilent({ id, name, renamedFrom }: Named, old: TableState): boolean {
  const was = [...old.fields, ...old.links].find((each) => each.id === id)
  return was !== undefined && was.name !== name && renamedFrom !== was.name
}
