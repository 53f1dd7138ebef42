/** Changes of a manifest by a developer between two runs, each with its words. */
import type { Changed, Place, Change } from './change.js'
import {
  addField,
  removeField,
  renameField,
  changeForm,
  changeNullable,
  changeDefault,
  changeUnique,
  changeFolded,
  addGroup,
  removeGroup,
  changeWords,
} from './field-changes.js'
import {
  addLink,
  removeLink,
  changeLink,
  renameTable,
  addTable,
  removeTable,
  changeMorph,
} from './table-changes.js'
import type { World } from './world.js'

const changes: readonly (readonly [weight: number, change: Change])[] = [
  [4, addField],
  [3, removeField],
  [4, renameField],
  [6, changeForm],
  [3, changeNullable],
  [3, changeDefault],
  [2, changeUnique],
  [1, changeFolded],
  [2, addGroup],
  [1, removeGroup],
  [4, changeWords],
  [2, addLink],
  [1, removeLink],
  [2, changeLink],
  [2, renameTable],
  [1, addTable],
  [1, removeTable],
  [2, changeMorph],
]

const weighted = changes.flatMap(([weight, change]) => Array.from({ length: weight }, () => change))

/** Null: nothing was found that can be done here. */
export function changeOnce(
  world: World,
  place: Place,
  isAllowed: (world: World) => boolean,
): Changed | null {
  const before = JSON.stringify(world)
  for (let tries = 0; tries < 10; tries++) {
    const changed = place.dice.pick(weighted)(world, place.dice.pick(world), place)
    if (changed === null || JSON.stringify(changed.world) === before) continue
    if (isAllowed(changed.world)) return changed
  }
  return null
}

/** After a save, what `renamedFrom` said is history; the manifest may still say it. */
export const forgetNames = (world: World): World =>
  world.map((table) => ({
    ...table,
    renamedFrom: undefined,
    fields: table.fields.map((field) => ({ ...field, renamedFrom: undefined })),
    links: table.links.map((link) => ({ ...link, renamedFrom: undefined })),
  }))
