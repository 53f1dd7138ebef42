import type { Entity } from '../../blueprint/types.js'
import { isShown } from '../../plan/views/repository.js'
import { narrowingOf, sortingOf } from './schema-roots.js'
import {
  descriptionIn,
  describeColumn,
  isClosed,
  type MemberView,
  type Scope,
  typeOf,
} from './schema-scope.js'
import { isToMany, memberName } from './settings.js'

/** The fields of a record's type. */
export function outputMembers(entity: Entity, scope: Scope): readonly MemberView[] {
  const { settings } = scope.project.derived.graphql
  const columns = entity.columns.filter(
    (column) =>
      isShown(column) &&
      !isClosed(entity, column.name, 'shown', scope) &&
      (settings.schema.timestamps || column.role !== 'timestamp'),
  )
  const members = new Map<string, MemberView>([['id', { text: 'id: ID!', description: null }]])
  for (const column of columns) {
    const text = `${column.name}: ${typeOf(entity.key, column, 'String', scope)}`
    members.set(column.name, { text, description: describeColumn(entity.key, column, scope) })
  }
  for (const { shown } of scope.parts) {
    for (const each of shown?.(entity, scope) ?? []) members.set(nameIn(each), each)
  }
  if (settings.schema.relations) addRelated(members, entity, scope)
  return [...members.values()]
}

/** A column of the same name stays what it is. */
function addRelated(members: Map<string, MemberView>, entity: Entity, scope: Scope): void {
  const add = (name: string, type: string, description: string | undefined) => {
    if (members.has(name)) return
    const [head] = name.split('(')
    members.set(head ?? name, {
      text: `${name}: ${type}`,
      description: descriptionIn(description, scope),
    })
  }
  for (const relation of entity.relations) {
    const target = scope.names.get(relation.target)
    if (target === undefined || isClosed(entity, relation.key, 'shown', scope)) continue
    const name = memberName(relation.key)
    if (members.has(name)) continue
    if (!isToMany(relation)) {
      add(name, target, relation.description)
      continue
    }
    const related = scope.project.entity(relation.target)
    const pages = [`first: Int = ${related.relatablePerPage}`, 'page: Int = 1']
    const narrowing = narrowingOf(related, target, scope)
    const list = [...pages, ...narrowing, ...sortingOf(related)].join(', ')
    add(`${name}(${list})`, `[${target}!]`, relation.description)
    for (const { besideList } of scope.parts) {
      for (const each of besideList?.(entity, relation, list, scope) ?? []) {
        if (!members.has(nameIn(each))) members.set(nameIn(each), each)
      }
    }
    const counted = narrowing.length === 0 ? '' : `(${narrowing.join(', ')})`
    if (!isRelated(entity, `${name}_total`)) add(`${name}_total${counted}`, 'Int', undefined)
  }
  for (const { key, description } of entity.morphs ?? []) {
    const union = scope.unions.find((each) => each.of === entity.key && each.key === key)
    if (union === undefined || isClosed(entity, key, 'shown', scope)) continue
    add(memberName(key), union.name, description)
  }
  for (const { key } of entity.computed) {
    if (isClosed(entity, key, 'shown', scope)) continue
    add(memberName(key), scope.answers.get(`${entity.key}.${key}`)?.type ?? 'JSON', undefined)
  }
}

/** `comments` of `comments(first: Int): [Comment!]`. */
const nameIn = ({ text }: MemberView) => /^\w+/.exec(text)?.[0] ?? text

/** A total gives way to a relation of its name. */
const isRelated = ({ relations, computed }: Entity, name: string) =>
  [...relations, ...computed].some(({ key }) => memberName(key) === name)
