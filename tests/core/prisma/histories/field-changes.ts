/** Changes of a repository's fields by a developer. */
import type { Json } from '../../../../generator/blueprint/types.js'
import { kindOf } from '../../../../generator/kinds/kinds.js'
import { type Change, withTable, freeName, withoutFormer, formerName } from './change.js'
import type { Dice } from './dice.js'
import { fieldText, groupText, wordsText } from './in-words.js'
import {
  columnsOf,
  forms,
  sayable,
  takes,
  type FieldState,
  type TableState,
  type Words,
  type World,
} from './world.js'

export const fieldNames = ['red', 'blue', 'green', 'amber', 'order', 'AND', 'constructor', 'is_a']

const withField = (world: World, table: TableState, field: FieldState): World =>
  withTable(world, {
    ...table,
    fields: table.fields.map((each) => (each.id === field.id ? field : each)),
  })

export function randomField(name: string, dice: Dice, id: number): FieldState {
  const form = dice.pick(forms)
  const isDefaulted = form.kind !== 'password' && dice.isOneIn(3)
  return {
    id,
    name,
    form,
    nullable: dice.isOneIn(2),
    default: isDefaulted ? (dice.pick(sayable(form)) as Json) : undefined,
    unique: !isDefaulted && takes(form, 'folded') && dice.isOneIn(5),
    folded: takes(form, 'folded') && dice.isOneIn(4),
  }
}

export const addField: Change = (world, table, place) => {
  const name = freeName(table, fieldNames, place)
  if (name === null) return null
  const field = randomField(name, place.dice, place.nextId())
  const cleared = withoutFormer(table, name)
  const changed = withTable(world, { ...cleared, fields: [...cleared.fields, field] })
  return { world: changed, says: `${table.key} gets ${fieldText(field)}` }
}

export const removeField: Change = (world, table, place) => {
  if (table.fields.length < 2) return null
  const gone = place.dice.pick(table.fields)
  const fields = table.fields.filter(({ id }) => id !== gone.id)
  const groups = table.groups.filter(({ columns }) => !columns.includes(gone.id))
  return {
    world: withTable(world, { ...table, fields, groups, words: wordsWithout(table, gone.id) }),
    says: `${table.key} loses ${gone.name}`,
  }
}

function wordsWithout({ words }: TableState, gone: number): Words | null {
  const columns = words?.columns.filter((id) => id !== gone) ?? []
  return words === null || columns.length === 0 ? null : { ...words, columns }
}

export const renameField: Change = (world, table, place) => {
  const name = freeName(table, fieldNames, place)
  const field = place.dice.pick(table.fields)
  if (name === null) return null
  const renamedFrom = formerName(field.id, name, place)
  const cleared = withoutFormer(table, name)
  const changed = withField(world, cleared, { ...field, name, renamedFrom })
  return {
    world: changed,
    says: `${table.key}.${field.name} becomes ${name}, renamedFrom ${renamedFrom}`,
  }
}

export const changeForm: Change = (world, table, place) => {
  const field = place.dice.pick(table.fields)
  const {
    form,
    nullable,
    default: given,
    unique,
    folded,
  } = randomField(field.name, place.dice, field.id)
  const isKept = place.dice.isOneIn(2)
  const now: FieldState = {
    ...field,
    form,
    default: given,
    unique: isKept ? field.unique && given === undefined : unique,
    folded: isKept ? field.folded && takes(form, 'folded') : folded,
    nullable: isKept ? field.nullable : nullable,
  }
  return {
    world: withField(world, table, now),
    says: `${table.key}.${fieldText(field)} becomes ${fieldText(now)}`,
  }
}

const changeOne =
  (change: (field: FieldState, dice: Dice) => FieldState): Change =>
  (world, table, place) => {
    const field = place.dice.pick(table.fields)
    const now = change(field, place.dice)
    return {
      world: withField(world, table, now),
      says: `${table.key}.${fieldText(field)} becomes ${fieldText(now)}`,
    }
  }

export const changeNullable = changeOne((field) => ({ ...field, nullable: !field.nullable }))

export const changeDefault = changeOne((field, dice) => {
  if (field.default !== undefined && dice.isOneIn(2)) return { ...field, default: undefined }
  return { ...field, default: dice.pick(sayable(field.form)) as Json }
})

export const changeUnique = changeOne((field) => ({ ...field, unique: !field.unique }))

export const changeFolded = changeOne((field) => ({ ...field, folded: !field.folded }))

export const addGroup: Change = (world, table, place) => {
  const list = place.dice.pick(['unique', 'indexes', 'sort'] as const)
  const all = [...table.fields, ...table.links].map(({ id }) => id)
  const [first, second] = [place.dice.pick(all), place.dice.pick(all)]
  const columns = first === second || list === 'sort' ? [first] : [first, second]
  const names = columnsOf(table)
  return {
    world: withTable(world, { ...table, groups: [...table.groups, { list, columns }] }),
    says: `${table.key} gets ${groupText({ list, columns }, names)}`,
  }
}

export const removeGroup: Change = (world, table, place) => {
  if (table.groups.length === 0) return null
  const gone = place.dice.pick(table.groups)
  const names = columnsOf(table)
  return {
    world: withTable(world, { ...table, groups: table.groups.filter((each) => each !== gone) }),
    says: `${table.key} loses ${groupText(gone, names)}`,
  }
}

export const changeWords: Change = (world, table, { dice }) => {
  const texts = table.fields.filter(({ form }) => kindOf(form.kind).isText)
  if (texts.length === 0) return null
  const columns = [...new Set([dice.pick(texts).id, dice.pick(texts).id])]
  const language = dice.pick(['english', 'simple'] as const)
  const words = table.words !== null && dice.isOneIn(2) ? null : { language, columns }
  return {
    world: withTable(world, { ...table, words }),
    says: `${table.key} has ${wordsText({ ...table, words })}`,
  }
}
