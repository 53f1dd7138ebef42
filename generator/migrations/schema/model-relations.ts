import { studly } from '../../blueprint/names/names.js'
import type {
  Blueprint,
  Column,
  Entity,
  FeatureTable,
  OnDelete,
  Pivot,
  PivotSide,
} from '../../blueprint/types.js'
import { absenceIn } from '../keepers/further-indexes.js'
import { camelCase, fieldName, freeName, reservedFields } from './names.js'

/** A foreign key, and what it is called at both of its ends. Tables stand for models here. */
export interface ModelRelation {
  readonly from: string
  readonly column: string
  readonly to: string
  readonly isNullable: boolean
  readonly isUnique: boolean
  readonly onDelete: OnDelete
  /** Field of `from`. */
  readonly forward: string
  /** Field of `to`, and whether it is a list. */
  readonly inverse: string
  readonly isList: boolean
  /** Two keys join the same two tables, or this one joins a table to itself: Prisma wants the relation named. */
  readonly isAmbiguous: boolean
}

interface Wish {
  /** A name the manifest gives; null: none. */
  readonly declared: string | null
  /** Other names, best first. */
  readonly candidates: readonly string[]
}

interface UnnamedRelation extends Omit<ModelRelation, 'forward' | 'inverse' | 'isAmbiguous'> {
  readonly forward: Wish
  readonly inverse: Wish
}

/** Every foreign key of the blueprint, named so that no name meets a column or another relation. */
export function findModelRelations(blueprint: Blueprint): readonly ModelRelation[] {
  const entities = new Map(blueprint.entities.map((entity) => [entity.key, entity]))
  const drafts = [
    ...blueprint.entities.flatMap((entity) => entityRelations(entity, entities)),
    ...blueprint.pivots.flatMap((pivot) => pivotRelations(pivot, entities)),
    ...blueprint.tables.flatMap((table) => tableRelations(table, entities)),
  ]
  return nameRelations(drafts, takenNames(blueprint))
}

type Entities = ReadonlyMap<string, Entity>

function entityRelations(entity: Entity, entities: Entities): readonly UnnamedRelation[] {
  return entity.columns.flatMap((column) => {
    const target = entities.get(column.references?.entity ?? '')
    if (target === undefined || column.references === undefined) return []
    const own = entity.relations.find(
      (each) => each.kind === 'belongsTo' && each.foreignKey === column.name,
    )
    const forward = withoutId(column.name)
    const isUnique = column.unique && absenceIn(entity.columns) === null
    const back = backRelation(target, entity, column.name, isUnique)
    const plural = camelCase(entity.table)
    const plain = isUnique ? entity.variable : plural
    const precise = `${plain}By${studly(own?.name ?? forward)}`
    return [
      {
        from: entity.table,
        column: column.name,
        to: target.table,
        isNullable: column.nullable,
        isUnique,
        onDelete: column.references.onDelete,
        isList: back === undefined ? !isUnique : back.kind === 'hasMany' || !isUnique,
        forward: { declared: own?.name ?? null, candidates: [forward, `${forward}Record`] },
        inverse: {
          declared: back?.name ?? null,
          candidates: target === entity ? [precise] : [plain, precise],
        },
      },
    ]
  })
}

/** The relation of the other side that reads this column: a HasOne where the column is unique, else a HasMany first. */
function backRelation(target: Entity, entity: Entity, column: string, isUnique: boolean) {
  const found = target.relations.filter(
    ({ kind, target: key, foreignKey }) =>
      (kind === 'hasOne' || kind === 'hasMany') && key === entity.key && foreignKey === column,
  )
  const preferred = isUnique ? 'hasOne' : 'hasMany'
  return found.find(({ kind }) => kind === preferred) ?? found[0]
}

function pivotRelations(pivot: Pivot, entities: Entities): readonly UnnamedRelation[] {
  return pivot.sides.flatMap((side, index) => {
    const entity = entities.get(side.entity ?? '')
    if (entity === undefined) return []
    const other = pivot.sides[index === 0 ? 1 : 0]
    return [pivotLink(pivot, side, entity, entities.get(other.entity ?? ''))]
  })
}

function pivotLink(
  pivot: Pivot,
  side: PivotSide,
  entity: Entity,
  other: Entity | undefined,
): UnnamedRelation {
  const relation = entity.relations.find(
    (each) => each.pivot?.table === pivot.table && each.foreignKey === side.column,
  )
  const forward = withoutId(side.column)
  const rows = camelCase(pivot.table)
  const precise = `${rows}By${studly(forward)}`
  const candidates = other === undefined ? [rows, precise] : [camelCase(other.table), rows, precise]
  return {
    from: pivot.table,
    column: side.column,
    to: entity.table,
    isNullable: false,
    isUnique: false,
    onDelete: 'cascade',
    isList: true,
    forward: { declared: null, candidates: [forward, `${forward}Record`] },
    inverse: {
      declared: relation?.name ?? null,
      candidates: other === entity ? [precise] : candidates,
    },
  }
}

/** Relations of a table that a feature needs. */
function tableRelations(
  { name, columns, rowsAs = name }: FeatureTable,
  entities: Entities,
): readonly UnnamedRelation[] {
  return columns.flatMap((column) => {
    const target = entities.get(column.references?.entity ?? '')
    if (target === undefined || column.references === undefined) return []
    return [
      {
        from: name,
        column: column.name,
        to: target.table,
        isNullable: column.nullable,
        isUnique: column.unique,
        onDelete: column.references.onDelete,
        isList: !column.unique,
        forward: { declared: null, candidates: [withoutId(column.name)] },
        inverse: { declared: null, candidates: [camelCase(rowsAs), camelCase(name)] },
      },
    ]
  })
}

const withoutId = (column: string) => camelCase(column.replace(/_id$/, ''))

function takenNames({ entities, pivots }: Blueprint): Map<string, Set<string>> {
  const names = (columns: readonly Column[]) => columns.map(({ name }) => fieldName(name))
  const keys = ({ column, morphType }: PivotSide) => [
    column,
    ...(morphType === null ? [] : [morphType]),
  ]
  return new Map([
    ...entities.map(({ table, columns }) => [table, reserved(names(columns))] as const),
    ...pivots.map(
      ({ table, sides, fields }) =>
        [table, reserved([...sides.flatMap(keys), ...names(fields)])] as const,
    ),
  ])
}

const reserved = (names: readonly string[]) => new Set([...reservedFields, ...names])

/** Names of the manifest are given out first, to both ends of all keys; what is made up takes what is left. */
function nameRelations(
  drafts: readonly UnnamedRelation[],
  taken: Map<string, Set<string>>,
): readonly ModelRelation[] {
  const claim = (table: string, candidates: readonly string[]) => {
    const names = taken.get(table) ?? new Set()
    const name = freeName(names, candidates)
    taken.set(table, names.add(name))
    return name
  }
  const declare = (table: string, { declared }: Wish) => {
    if (declared === null) return null
    // A key may hold what no field can, a hyphen say.
    const name = /^[A-Za-z]\w*$/.test(declared)
      ? declared
      : camelCase(declared.replace(/\W+/g, '_'))
    return claim(table, [name, `${name}Record`])
  }
  const declared = drafts.map(({ from, to, forward, inverse }) => ({
    forward: declare(from, forward),
    inverse: declare(to, inverse),
  }))
  const pairs = new Map<string, number>()
  for (const pair of drafts.map(pairOf)) pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  return drafts.map((draft, index) => ({
    ...draft,
    isAmbiguous: draft.from === draft.to || (pairs.get(pairOf(draft)) ?? 0) > 1,
    forward: declared[index]?.forward ?? claim(draft.from, draft.forward.candidates),
    inverse: declared[index]?.inverse ?? claim(draft.to, draft.inverse.candidates),
  }))
}

const pairOf = ({ from, to }: UnnamedRelation) => [from, to].toSorted().join(' ')
