import type { Column, Entity, Pivot, Relation } from '../../blueprint/types.js'
import { literal, property, remark } from '../literal.js'
import type { Project } from '../project.js'
import { columnType } from './column-type.js'

export interface ModelsView {
  /** Type names of the kernel that this manifest needs. */
  readonly imports: readonly string[]
  readonly entities: readonly ModelView[]
  readonly pivots: readonly RowView[]
  /** Kysely's view of the database. */
  readonly tables: readonly { readonly property: string; readonly type: string }[]
  /** Row type of the signed-in user. */
  readonly user: string
  readonly hasHooks: boolean
}

interface RowView {
  readonly name: string
  readonly remark: string
  readonly columns: readonly MemberView[]
}

interface ModelView extends RowView {
  readonly relations: readonly MemberView[]
  /** Answered in the hooks, for one record or a whole page at once. */
  readonly computed: readonly { readonly property: string; readonly mode: 'record' | 'page' }[]
}

interface MemberView {
  readonly property: string
  readonly type: string
  readonly remark: string | null
}

export function modelsView(project: Project): ModelsView {
  const relations = project.entities.flatMap((entity) => entity.relations)
  const hasHooks = project.entities.some((entity) => entity.hasHooks)
  const needs: readonly [string, boolean][] = [
    ['AnyModel', true],
    ['Hooks', hasHooks],
    ['Many', relations.some(({ kind }) => kind === 'hasMany' || kind === 'morphMany')],
    ['ManyToMany', relations.some(({ pivot }) => pivot !== null)],
    ['One', relations.some(({ kind }) => /^(belongsTo|hasOne|morphOne)$/.test(kind))],
    ['Policy', true],
  ]
  return {
    imports: needs.filter(([, isNeeded]) => isNeeded).map(([name]) => name),
    entities: project.entities.map((entity) => modelView(entity, project)),
    pivots: project.blueprint.pivots.map((pivot) => pivotView(pivot, project)),
    tables: tablesOf(project),
    user: project.auth?.name ?? 'never',
    hasHooks,
  }
}

function modelView(entity: Entity, project: Project): ModelView {
  return {
    name: entity.name,
    remark: `A row of \`${entity.table}\`.`,
    columns: entity.columns.map(columnView),
    relations: entity.relations.map((relation) => relationView(relation, project)),
    computed: entity.computed.map(({ key, batch }) => ({
      property: property(key),
      mode: batch ? 'page' : 'record',
    })),
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

function relationType(relation: Relation, project: Project): string {
  const model = `${project.entity(relation.target).name}Model`
  if (relation.pivot !== null) return `ManyToMany<${model}, ${project.pivot(relation.pivot.table).name}>`
  return /Many$/.test(relation.kind) ? `Many<${model}>` : `One<${model}>`
}

function pivotView(pivot: Pivot, project: Project): RowView {
  const names = pivot.sides.map((side) => {
    return side.entity === null ? 'what they are of' : `\`${project.entity(side.entity).table}\``
  })
  return {
    name: pivot.name,
    remark: `A row between ${names.join(' and ')}.`,
    columns: [...pivot.sides.flatMap(sideColumns), ...pivot.fields.map(columnView)],
  }
}

function sideColumns(side: Pivot['sides'][number]): readonly MemberView[] {
  const type = side.kind === 'integer' ? 'number' : 'string'
  const key = { property: property(side.column), type, remark: null }
  if (side.morphType === null) return [key]
  return [{ property: property(side.morphType), type: 'string', remark: null }, key]
}

function tablesOf({ entities, blueprint }: Project) {
  return [
    ...entities.map(({ table, name, columns }) => {
      const dates = columns.filter(({ kind }) => kind === 'dateTime' || kind === 'date')
      return tableView(table, name, columns.filter(isMade), dates)
    }),
    ...blueprint.pivots.map(({ table, name, fields }) => tableView(table, name, fields.filter(isMade), [])),
  ]
}

/** `Table<Post, 'id', 'published_at'>`: what may be left out of an insert, and what may be written as a `Date`. */
function tableView(table: string, row: string, made: readonly Column[], dates: readonly Column[]) {
  const lists = [made, dates].map((columns) => columns.map(({ name }) => literal(name)).join(' | '))
  const [auto = '', written = ''] = lists
  const second = auto === '' && written !== '' ? 'never' : auto
  const type = `Table<${[row, second, written].filter((part) => part !== '').join(', ')}>`
  return { property: property(table), type }
}

/** Columns the database fills when an insert leaves them out; uuids are made by the caller. */
const isMade = (column: Column) =>
  column.default !== undefined || (column.role === 'id' && column.kind === 'integer')
