/** Parts of a manifest, as people say them. */
import {
  columnsOf,
  keyOf,
  type FieldState,
  type Group,
  type LinkState,
  type TableState,
  type World,
} from './world.js'

const formText = ({ form: { kind, precision, scale, min, max, options } }: FieldState) =>
  [
    kind,
    precision === undefined ? '' : `(${precision}, ${scale})`,
    options === undefined ? '' : `(${options.join(', ')})`,
    min === undefined ? '' : ` min ${min}`,
    max === undefined ? '' : ` max ${max}`,
  ].join('')

export const fieldText = (field: FieldState): string =>
  [
    `${field.name}: ${formText(field)}`,
    field.nullable ? 'nullable' : '',
    field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`,
    field.unique ? 'unique' : '',
    field.folded ? 'folded' : '',
    field.renamedFrom === undefined ? '' : `renamedFrom ${field.renamedFrom}`,
  ]
    .filter((each) => each !== '')
    .join(' ')

export const tableText = (table: TableState, world: World): string => {
  const columns = [
    ...table.fields.map(fieldText),
    ...table.links.map((link) => linkText(link, world)),
    ...(table.morph?.owners ?? []).map(
      (owner) => `owner ${keyOf(world, owner.table)} ${owner.onDelete}`,
    ),
  ]
  const names = columnsOf(table)
  const groups = table.groups.map((group) => groupText(group, names))
  return `${table.key} (${table.ids}) { ${[...columns, ...groups, wordsText(table)].join('; ')} }`
}

export const linkText = (
  { name, target, nullable, onDelete, renamedFrom }: LinkState,
  world: World,
) =>
  [
    `${name}: belongsTo ${keyOf(world, target)}`,
    nullable ? 'nullable' : '',
    onDelete ?? '',
    renamedFrom === undefined ? '' : `renamedFrom ${renamedFrom}`,
  ]
    .filter((each) => each !== '')
    .join(' ')

export const groupText = ({ list, columns }: Group, names: ReadonlyMap<string, string>) =>
  `${list} [${columns.map((id) => names.get(String(id))).join(', ')}]`

export const wordsText = ({ words, fields }: TableState): string =>
  words === null
    ? 'no full text'
    : `full text of ${words.columns.map((id) => fields.find((each) => each.id === id)?.name).join(', ')} (${words.language})`
