/** Changes of a developer to repositories, and to the tables between them. */
import type { OnDelete } from '../../../../generator/blueprint/types.js'
import {
  type Place,
  type Change,
  withTable,
  freeName,
  withoutFormer,
  formerName,
  withoutLink,
} from './change.js'
import type { Dice } from './dice.js'
import { fieldNames, randomField } from './field-changes.js'
import { tableText, linkText } from './in-words.js'
import type { TableState, World } from './world.js'

const keys = ['alphas', 'betas', 'gammas', 'deltas', 'zetas', 'kappas']

const linkNames = ['parent', 'author', 'red_one']

const rules: readonly (OnDelete | null)[] = [null, 'restrict', 'cascade', 'setNull']

export const addLink: Change = (world, table, place) => {
  const name = freeName(table, linkNames, place)
  const target = place.dice.pick(world).id
  if (name === null) return null
  const link = {
    id: place.nextId(),
    name,
    target,
    nullable: !place.dice.isOneIn(3),
    onDelete: place.dice.pick(rules),
  }
  const cleared = withoutFormer(table, name)
  return {
    world: withTable(world, { ...cleared, links: [...cleared.links, link] }),
    says: `${table.key} gets ${linkText(link, world)}`,
  }
}

export const removeLink: Change = (world, table, place) => {
  if (table.links.length === 0) return null
  const gone = place.dice.pick(table.links)
  return {
    world: withTable(world, withoutLink(table, gone.id)),
    says: `${table.key} loses ${gone.name}`,
  }
}

export const changeLink: Change = (world, table, place) => {
  if (table.links.length === 0) return null
  const link = place.dice.pick(table.links)
  const name = place.dice.isOneIn(3) ? freeName(table, linkNames, place) : null
  const now =
    name !== null
      ? { ...link, name, renamedFrom: formerName(link.id, name, place) }
      : {
          ...link,
          onDelete: place.dice.pick(rules),
          nullable: place.dice.isOneIn(3) ? !link.nullable : link.nullable,
        }
  const cleared = name === null ? table : withoutFormer(table, name)
  const links = cleared.links.map((each) => (each.id === link.id ? now : each))
  return {
    world: withTable(world, { ...cleared, links }),
    says: `${table.key}.${linkText(link, world)} becomes ${linkText(now, world)}`,
  }
}

/** A key that no repository has, nor had a moment ago. */
function freeKey(world: World, { dice, seen, ambiguous }: Place): string | null {
  const taken = [...world, ...seen, ...ambiguous].map(({ key }) => key)
  const free = keys.filter((key) => !taken.includes(key))
  return free.length === 0 ? null : dice.pick(free)
}

const withoutKey = (world: World, key: string): World =>
  world.map((each) => (each.renamedFrom === key ? { ...each, renamedFrom: undefined } : each))

export const renameTable: Change = (world, table, place) => {
  const key = freeKey(world, place)
  if (key === null) return null
  const renamedFrom = formerName(table.id, key, place)
  return {
    world: withTable(withoutKey(world, key), { ...table, key, renamedFrom }),
    says: `${table.key} becomes ${key}, renamedFrom ${renamedFrom}`,
  }
}

export const newTable = (key: string, dice: Dice, nextId: Place['nextId']): TableState => ({
  id: nextId(),
  key,
  ids: dice.isOneIn(3) ? 'uuid' : 'integer',
  fields: fieldNames.slice(0, 2 + dice.roll(3)).map((name) => randomField(name, dice, nextId())),
  links: [],
  morph: null,
  groups: [],
  words: null,
})

export const addTable: Change = (world, _, place) => {
  const key = freeKey(world, place)
  if (world.length > 3 || key === null) return null
  const table = newTable(key, place.dice, place.nextId)
  return { world: [...withoutKey(world, key), table], says: `new: ${tableText(table, world)}` }
}

export const removeTable: Change = (world, table) => {
  if (world.length < 2) return null
  const rest = world
    .filter(({ id }) => id !== table.id)
    .map((each) => {
      const pointing = each.links.filter(({ target }) => target === table.id)
      return pointing.reduce((left, { id }) => withoutLink(left, id), withoutOwner(each, table.id))
    })
  return { world: rest, says: `${table.key} is removed` }
}

function withoutOwner(table: TableState, gone: number): TableState {
  if (table.morph === null) return table
  const owners = table.morph.owners.filter((owner) => owner.table !== gone)
  return { ...table, morph: owners.length === 0 ? null : { ...table.morph, owners } }
}

export const changeMorph: Change = (world, table, place) => {
  const owners = table.morph?.owners ?? []
  const other = place.dice.pick(world)
  const isOwner = owners.some((owner) => owner.table === other.id)
  const onDelete = place.dice.pick(['restrict', 'cascade', 'setNull'] as const)
  const rest = owners.filter((owner) => owner.table !== other.id)
  const isGone = isOwner && place.dice.isOneIn(2)
  const now = isGone ? rest : [...rest, { table: other.id, onDelete }]
  const had = place.seen.find(({ id }) => id === table.id)?.morph ?? table.morph
  const morph = now.length === 0 ? null : { id: had?.id ?? place.nextId(), owners: now }
  return {
    world: withTable(world, { ...table, morph }),
    says: `${table.key} belongs ${isGone ? 'no more to' : 'to'} ${other.key} (${onDelete}), as owner`,
  }
}
