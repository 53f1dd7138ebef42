/** A manifest that changes: every table and column has an id that stays, whatever it is called. */
import type { Blueprint, Database, Json, OnDelete } from '../../../../generator/blueprint/types.js'
import * as svckit from '../../../../generator/index.js'
import { kindOf } from '../../../../generator/kinds/kinds.js'
import type { Manifest } from '../../../../generator/manifest/manifest.js'
import { buildBlueprint } from '../../../support/with-features.js'
import { outcome, type Kind } from '../conversion-model.js'
import { sources, targets } from '../conversion-samples.js'

export interface Form extends Kind {
  readonly values: readonly unknown[]
}

/** Forms of a field, with values that it has. */
export const forms: readonly Form[] = [...sources, ...targets.map(withValues)].map((form) => {
  // SQLite writes more digits of this one than it needs: how long its text is, the model cannot say.
  return { ...form, values: form.values.filter((value) => value !== 5e-324) }
})

function withValues(target: (typeof targets)[number]): Form {
  const { fill: _fill, default: _default, ...kind } = target
  const alike = sources.filter((source) => source.kind === kind.kind)
  const values = alike.flatMap((source) =>
    source.values.flatMap((value) => {
      if (kind.kind !== 'decimal') return outcome(kind, kind, value) === null ? [] : [value]
      const [whole = '', fraction = ''] = String(value).split('.')
      const { scale = 0 } = kind
      const cut = scale === 0 ? whole : `${whole}.${fraction.slice(0, scale).padEnd(scale, '0')}`
      return outcome(kind, kind, cut)?.(cut) === true ? [cut] : []
    }),
  )
  const { scale = 0 } = kind
  const zero = kind.kind === 'decimal' ? [scale === 0 ? '0' : `0.${'0'.repeat(scale)}`] : []
  return { ...kind, values: [...new Set([...values, ...zero])] }
}

export interface FieldState {
  readonly id: number
  readonly name: string
  readonly form: Form
  readonly nullable: boolean
  readonly default?: Json | undefined
  readonly unique: boolean
  readonly folded: boolean
  readonly renamedFrom?: string | undefined
}

export interface LinkState {
  readonly id: number
  readonly name: string
  /** Id of a table. */
  readonly target: number
  readonly nullable: boolean
  readonly onDelete: OnDelete | null
  readonly renamedFrom?: string | undefined
}

export interface MorphState {
  readonly id: number
  readonly owners: readonly { readonly table: number; readonly onDelete: OnDelete }[]
}

export interface Group {
  readonly list: 'unique' | 'indexes' | 'sort'
  /** Ids of fields and links. */
  readonly columns: readonly number[]
}

/** Full text. */
export interface Words {
  readonly language: 'english' | 'simple'
  /** Ids of fields. */
  readonly columns: readonly number[]
}

export interface TableState {
  readonly id: number
  readonly key: string
  readonly ids: 'integer' | 'uuid'
  readonly fields: readonly FieldState[]
  readonly links: readonly LinkState[]
  readonly morph: MorphState | null
  readonly groups: readonly Group[]
  readonly words: Words | null
  readonly renamedFrom?: string | undefined
}

export type World = readonly TableState[]

/** Names of the columns whose values are compared, by their ids. */
export const columnsOf = (table: TableState): ReadonlyMap<string, string> =>
  new Map([
    ...table.fields.map(({ id, name }) => [String(id), name] as const),
    ...table.links.map(({ id, name }) => [String(id), `${name}_id`] as const),
    ...(table.morph === null
      ? []
      : ([
          [`${table.morph.id} type`, 'owner_type'],
          [`${table.morph.id} id`, 'owner_id'],
        ] as const)),
  ])

/**
 * Values that a manifest and `--fill` may say: those that a request may send, and of texts none that
 * is blank, which a required field refuses. Rows may have others.
 */
export function sayable({ kind, values }: Form): readonly unknown[] {
  // Of a password its hash, which no request sends.
  if (kind === 'password') return values
  const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
  return values.filter((value) => !isBlank(value) && kindOf(kind).preset.read(value) !== undefined)
}

/** Returns true if its function makes a field that can be asked this. */
export const takes = (form: Form, modifier: 'default' | 'folded' | 'unique') =>
  made(form)[modifier] !== undefined

/** Returns false for a field that the compiler would refuse. */
const isWritable = ({ form, unique, folded, default: given }: FieldState) =>
  !(unique && !takes(form, 'unique')) &&
  !(folded && !takes(form, 'folded')) &&
  !(given !== undefined && !takes(form, 'default'))

/** Null: svc would refuse this manifest. */
export function blueprintOf(world: World, database: Database): Blueprint | null {
  if (!world.every(({ fields }) => fields.every(isWritable))) return null
  const nowhere = { file: 'manifest.ts', line: 1, column: 1 }
  const sources = { repositories: new Map(), locate: () => nowhere }
  const built = buildBlueprint(manifestOf(world, database), { sources, userModel: null })
  return 'problems' in built ? null : built.blueprint
}

function manifestOf(world: World, database: Database): Manifest {
  const repositories = world.map((table) => [
    table.key,
    svckit.repository({
      id: table.ids,
      fields: Object.fromEntries(table.fields.map((field) => [field.name, fieldOf(field)])),
      related: Object.fromEntries([
        ...table.links.map((link) => [link.name, linkOf(link, world)]),
        ...(table.morph === null ? [] : [['owner', svckit.morphTo()]]),
        ...world.flatMap((other) => ownedOf(table, other)),
      ]),
      ...groupsOf(table),
      ...wordsOf(table),
      ...(table.renamedFrom === undefined ? {} : { renamedFrom: table.renamedFrom }),
    } as never),
  ])
  return svckit.defineManifest({
    database,
    repositories: Object.fromEntries(repositories),
  } as never)
}

/** Modifiers by name, as a manifest chains them. */
type Chained = Partial<Record<string, (argument?: unknown) => Chained>>

function made({ kind, precision, scale, options }: Form): Chained {
  const make = svckit[kind] as (...given: readonly unknown[]) => unknown
  const given = kind === 'decimal' ? [precision, scale] : options === undefined ? [] : [options]
  return make(...given) as Chained
}

function fieldOf({ form, ...field }: FieldState): Chained {
  const { min, max } = form
  const modifiers: readonly (readonly [string, unknown?])[] = [
    ...(min === undefined ? [] : ([['min', min]] as const)),
    ...(max === undefined ? [] : ([['max', max]] as const)),
    ...(field.nullable ? ([['nullable']] as const) : []),
    ...(field.default === undefined ? [] : ([['default', field.default]] as const)),
    ...(field.unique ? ([['unique']] as const) : []),
    ...(field.folded ? ([['folded']] as const) : []),
    ...(field.renamedFrom === undefined ? [] : ([['renamedFrom', field.renamedFrom]] as const)),
  ]
  return modifiers.reduce((chain, [name, argument]) => chain[name]?.(argument) ?? chain, made(form))
}

function linkOf({ target, nullable, onDelete, renamedFrom }: LinkState, world: World) {
  const made = svckit.belongsTo(keyOf(world, target), {
    ...(onDelete === null ? {} : { onDelete }),
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
  })
  return nullable ? made.nullable() : made
}

function ownedOf(table: TableState, other: TableState) {
  const owner = other.morph?.owners.find((each) => each.table === table.id)
  const options = { name: 'owner', onDelete: owner?.onDelete ?? 'restrict' } as const
  return owner === undefined ? [] : [[`owned_${other.id}`, svckit.morphMany(other.key, options)]]
}

function groupsOf(table: TableState) {
  const names = columnsOf(table)
  const listed = (list: Group['list']) =>
    table.groups
      .filter((group) => group.list === list)
      .map(({ columns }) => columns.map((id) => names.get(String(id)) ?? ''))
  const sort = [...new Set(listed('sort').flat())]
  return { unique: listed('unique'), indexes: listed('indexes'), sort }
}

function wordsOf({ words, fields }: TableState) {
  if (words === null) return {}
  const names = words.columns.map((id) => fields.find((each) => each.id === id)?.name ?? '')
  return { searchable: svckit.fullText(names, { language: words.language }) }
}

export const keyOf = (world: World, id: number): string =>
  world.find((table) => table.id === id)?.key ?? ''
