import type { Column, Entity, Member, Relation } from '../../../blueprint/types.js'
import { literal, property, valueOf } from '../../../source/literal.js'
import type { Surroundings } from '../../project.js'
import { type Rule, ruleOf } from './rule.js'
import { storageOf } from './storage.js'

export interface RelationView {
  readonly property: string
  /** The function of `relations.ts` that describes it. */
  readonly use: string
  /** Name of the repository on the other side. */
  readonly target: string
  readonly options: readonly string[]
  readonly pivot: PivotView | null
}

interface PivotView {
  readonly table: string
  readonly foreignKey: string
  readonly morphType: string | null
  readonly relatedKey: string
  readonly foreignKind: 'text' | null
  readonly columns: readonly string[]
  readonly rules: readonly string[]
  readonly defaults: readonly string[]
  readonly hidden: readonly string[]
}

/** A computed or member entry. */
export interface EntryView {
  readonly property: string
  /** The function of `relations.ts` that describes it; null: a feature's own. */
  readonly use: string | null
  readonly text: string
}

export function relationView(relation: Relation, project: Surroundings): RelationView {
  return {
    property: property(relation.key),
    use: relation.kind,
    target: project.entity(relation.target).name,
    options: optionsOf(relation),
    pivot: pivotOf(relation, project),
  }
}

function optionsOf(relation: Relation): readonly string[] {
  const { foreignKey, morphType, filledBy, searchable, sortable, routes } = relation
  return [
    `foreignKey: ${literal(foreignKey)}`,
    ...(morphType === null ? [] : [`morphType: ${literal(morphType)}`]),
    ...(filledBy === null ? [] : [`filledBy: ${literal(filledBy)}`]),
    ...(searchable.length === 0 ? [] : [`searchable: [${searchable.map(literal).join(', ')}]`]),
    ...(sortable.length === 0 ? [] : [`sortable: [${sortable.map(literal).join(', ')}]`]),
    ...(routes === undefined ? [] : [`routes: ${routes}`]),
  ]
}

function pivotOf(relation: Relation, project: Surroundings): PivotView | null {
  if (relation.pivot === null) return null
  const { sides, fields } = project.pivot(relation.pivot.table)
  const own = sides.find((side) => side.column === relation.foreignKey)
  return {
    table: relation.pivot.table,
    foreignKey: relation.foreignKey,
    morphType: relation.morphType,
    relatedKey: relation.pivot.relatedKey,
    // A morph over integer and uuid ids stores both as text.
    foreignKind: own?.kind === 'text' ? 'text' : null,
    columns: fields.map((column) => `${property(column.name)}: ${literal(storageOf(column))}`),
    rules: fields
      .filter(isWritable)
      .map((column) => `${property(column.name)}: ${ruleOf(column).text}`),
    defaults: fields.flatMap(defaultOf),
    hidden: fields.filter(({ hidden }) => hidden).map(({ name }) => name),
  }
}

const isWritable = ({ readonly }: Column) => !readonly

/** The rules of the pivots of an entity. */
export function pivotRulesOf(entity: Entity, project: Surroundings): readonly Rule[] {
  const pivots = entity.relations.flatMap(({ pivot }) => (pivot === null ? [] : [pivot.table]))
  const fields = pivots.flatMap((table) => project.pivot(table).fields)
  return fields.filter(isWritable).map(ruleOf)
}

/** `is_admin: false`, for a column with a default. */
export function defaultOf(column: Column): readonly string[] {
  if (column.default === undefined) return []
  return [`${property(column.name)}: ${valueOf(column.default)}`]
}

export function entriesOf(entity: Entity, project: Surroundings): readonly EntryView[] {
  const morphs = (entity.morphs ?? []).map(({ key, foreignKey, morphType, targets }) => ({
    property: property(key),
    use: null,
    text: `morphTo({
      foreignKey: ${literal(foreignKey)},
      morphType: ${literal(morphType)},
      targets: { ${targets.map((each) => `${property(each)}: () => ${project.entity(each).name}Repository`).join(', ')} },
    })`,
  }))
  const computed = entity.computed.map(({ key, batch }) => ({
    property: property(key),
    use: 'computed',
    text: batch ? 'computed({ batch: true })' : 'computed()',
  }))
  const members = entity.members.map((member) => ({
    property: property(member.key),
    use: 'member',
    text: memberText(member, entity),
  }))
  return [...morphs, ...computed, ...members]
}

function memberText({ key, of }: Member, entity: Entity): string {
  if (of === 'field') return "member('field')"
  const relation = entity.relations.find(({ name }) => name === key)
  return `member('relation', ${literal(relation?.key ?? key)})`
}

/** Foreign columns that no belongsTo owns: their repository, or null for the id of a morph. */
export function referencesOf(entity: Entity, project: Surroundings): readonly string[] {
  const own = [...entity.relations.filter(isBelongsTo), ...(entity.morphs ?? [])]
  const owned = new Set(own.map(({ foreignKey }) => foreignKey))
  const others = entity.columns.filter((column) => !owned.has(column.name))
  return others.flatMap((column) => {
    if (column.role === 'morphId') return [`${property(column.name)}: null`]
    const target = targetName(column, project)
    return target === null ? [] : [`${property(column.name)}: () => ${target}Repository`]
  })
}

/** The other repositories a repository refers to, each once, by name. */
export function targetsOf(entity: Entity, project: Surroundings): readonly string[] {
  const morphs = (entity.morphs ?? []).flatMap(({ targets }) => targets)
  const keys = [...entity.relations.map(({ target }) => target), ...morphs]
  const related = keys.map((key) => project.entity(key).name)
  const pointedAt = entity.columns.flatMap((column) => targetName(column, project) ?? [])
  const names = new Set([...related, ...pointedAt])
  names.delete(entity.name)
  return [...names].toSorted()
}

const isBelongsTo = ({ kind }: Relation) => kind === 'belongsTo'

function targetName({ references }: Column, project: Surroundings): string | null {
  return references === undefined ? null : project.entity(references.entity).name
}
