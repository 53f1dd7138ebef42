import type { Column, Entity, MorphTo, Pivot, Relation } from '../../blueprint/types.js'
import { kindOf, storedAs } from '../../kinds/kinds.js'
import { property, remark } from '../../source/literal.js'
import { entityLines, type Project } from '../project.js'
import type { Slots } from '../render/slots.js'
import { columnType } from './fields/column-type.js'
import { relationRow, relationsOfUser } from './fields/user-relations.js'
import { namesIn, tablesView, type TablesView } from './tables.js'

export interface ModelsView extends TablesView {
  /** Types of hooks, and of the entries that they compute. */
  readonly hookImports: readonly string[]
  /** Imports from features/relations. */
  readonly relationImports: readonly string[]
  readonly entities: readonly ModelView[]
  readonly pivots: readonly RowView[]
  /** Row type of users; null: there is no auth repository. */
  readonly user: string | null
  /** Columns of it that stay in the database. */
  readonly secrets: string
  /** Relations that are loaded with the user. */
  readonly userWith: readonly { readonly property: string; readonly type: string }[]
  readonly hasHooks: boolean
  readonly slots: Slots
}

interface RowView {
  readonly name: string
  readonly remark: string
  readonly columns: readonly MemberView[]
}

interface ModelView extends RowView {
  readonly relations: readonly MemberView[]
  /** Answered in the hooks, for one record or a whole page at once. */
  readonly computed: readonly { readonly property: string; readonly type: string }[]
  /** Features' members. */
  readonly members: readonly string[]
}

interface MemberView {
  readonly property: string
  readonly type: string
  readonly remark: string | null
}

export function modelsView(project: Project): ModelsView {
  const relations = project.entities.flatMap((entity) => entity.relations)
  const computed = project.entities.flatMap((entity) => entity.computed)
  const hasHooks = project.entities.some((entity) => entity.hasHooks)
  const hasPivots = relations.some(({ pivot }) => pivot !== null)
  const hooks: readonly [string, boolean][] = [
    ['HookContext', project.slots.models_hook_context.length > 0],
    ['Hooks', hasHooks],
    ['PerPage', computed.some(({ batch }) => batch)],
    ['PerRecord', computed.some(({ batch }) => !batch)],
  ]
  const related: readonly [string, boolean][] = [
    ['Many', relations.some(({ kind }) => kind === 'hasMany' || kind === 'morphMany')],
    ['ManyToMany', hasPivots],
    ['One', relations.some(({ kind }) => /^(belongsTo|hasOne|morphOne)$/.test(kind))],
  ]
  return {
    relationImports: related.filter(([, isNeeded]) => isNeeded).map(([name]) => name),
    hookImports: hooks.filter(([, isNeeded]) => isNeeded).map(([name]) => name),
    entities: project.entities.map((entity) => modelView(entity, project)),
    pivots: project.blueprint.pivots.map((pivot) => pivotView(pivot, project)),
    ...tablesView(project),
    user: project.auth?.name ?? null,
    secrets: namesIn(project.auth?.columns.filter((column) => storedAs(column).isSecret) ?? []),
    userWith: relationsOfUser(project).map((relation) => ({
      property: property(relation.key),
      type: relationRow(relation, project),
    })),
    hasHooks,
    slots: project.slots,
  }
}

function modelView(entity: Entity, project: Project): ModelView {
  return {
    name: entity.name,
    remark: `A row of \`${entity.table}\`.`,
    columns: entity.columns.map(columnView),
    relations: [
      ...entity.relations.map((relation) => relationView(relation, project)),
      ...(entity.morphs ?? []).map((morph) => morphView(morph, project)),
    ],
    computed: entity.computed.map(({ key, batch, answer }) => ({
      property: property(key),
      type: `${batch ? 'PerPage' : 'PerRecord'}<${answer ?? 'unknown'}>`,
    })),
    members: entityLines(entity, project).model_members,
  }
}

function columnView(column: Column): MemberView {
  return {
    property: property(column.name),
    type: columnType(column),
    remark: column.description === undefined ? null : remark(column.description),
  }
}

function relationView(relation: Relation, project: Project): MemberView {
  return {
    property: property(relation.key),
    type: relationType(relation, project),
    remark: relation.description === undefined ? null : remark(relation.description),
  }
}

function morphView({ key, targets, description }: MorphTo, project: Project): MemberView {
  const models = targets.map((each) => `${property(each)}: ${project.entity(each).name}Model`)
  return {
    property: property(key),
    type: `OneOf<{ ${models.join('; ')} }>`,
    remark: description === undefined ? null : remark(description),
  }
}

function relationType(relation: Relation, project: Project): string {
  const model = `${project.entity(relation.target).name}Model`
  if (relation.pivot !== null)
    return `ManyToMany<${model}, ${project.pivot(relation.pivot.table).name}>`
  return /Many$/.test(relation.kind) ? `Many<${model}>` : `One<${model}>`
}

function pivotView(pivot: Pivot, project: Project): RowView {
  const [one, other] = pivot.sides.map((side) => tablesAt(side, project))
  return {
    name: pivot.name,
    remark: `A pivot row of ${one} and ${other}.`,
    columns: [...pivot.sides.flatMap(sideColumns), ...pivot.fields.map(columnView)],
  }
}

/** The table at one side; several where the side is a morph. */
function tablesAt({ entity, column }: Pivot['sides'][number], project: Project): string {
  if (entity !== null) return `\`${project.entity(entity).table}\``
  const morphed = project.entities.filter(({ relations }) =>
    relations.some((relation) => relation.pivot !== null && relation.foreignKey === column),
  )
  return morphed.map(({ table }) => `\`${table}\``).join(' or ')
}

function sideColumns(side: Pivot['sides'][number]): readonly MemberView[] {
  const type = kindOf(side.kind).typescript
  const key = { property: property(side.column), type, remark: null }
  if (side.morphType === null) return [key]
  return [{ property: property(side.morphType), type: 'string', remark: null }, key]
}
