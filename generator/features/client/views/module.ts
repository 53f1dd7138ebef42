import { studly } from '../../../blueprint/names/names.js'
import type { Entity, Relation } from '../../../blueprint/types.js'
import type { KnownRoute } from '../../../plan/routes/routes.js'
import { isShown } from '../../../plan/views/repository.js'
import type { Write } from '../../../plan/written-columns.js'
import { property, remark } from '../../../source/literal.js'
import { isToMany } from '../../openapi/api.js'
import { shownSchema } from '../../openapi/schemas/column-schema.js'
import { alwaysShown, attributes, bodyOf } from '../../openapi/schemas/entity-schemas.js'
import { objectOf } from '../../openapi/schemas/object.js'
import { hasSearch, sortKeys } from '../../openapi/schemas/parameters.js'
import { pivotRow } from '../../pivots/document.js'
import type { OperationView } from '../function-view.js'
import { allMatches } from '../match-members.js'
import {
  exported,
  includedOf,
  listOf,
  metaOf,
  readingTypesOf,
  typeEndings,
  type Client,
} from '../names.js'
import { operationsOf } from '../operations.js'
import { pivotsOf } from '../pivots-of.js'
import { hasRelations } from '../reading.js'
import { inherited, membersOf, typeText, type MemberView } from '../type-text.js'

export interface ClientModuleView {
  readonly source: string
  readonly name: string
  readonly key: string
  readonly remark: string
  /** Functions of `client.ts`, and types of `types.ts`. */
  readonly values: readonly string[]
  readonly types: readonly string[]
  /** Types of other modules. */
  readonly imports: readonly { readonly module: string; readonly names: readonly string[] }[]
  readonly attributes: readonly MemberView[]
  readonly hasRelations: boolean
  /** Members of `meta` beside the flags, or null. */
  readonly meta: string | null
  /** The options type of its included lists, or null. */
  readonly listed: string | null
  /** The type of `include` besides a list of paths, or null. */
  readonly included: string | null
  readonly relations: readonly MemberView[]
  readonly pivots: readonly InterfaceView[]
  readonly hasSearch: boolean
  readonly sort: readonly string[]
  readonly match: readonly MemberView[]
  /** Members of a tree of comparisons; none: there is no tree. */
  readonly where: readonly MemberView[]
  /** Options that features add to lists. */
  readonly asked: readonly MemberView[]
  readonly bodies: readonly BodyView[]
  readonly operations: readonly OperationView[]
  /** `destroy` is among them, which the word `delete` cannot name. */
  readonly canDelete: boolean
}

interface InterfaceView {
  readonly name: string
  readonly remark: string
  readonly members: readonly MemberView[]
}

interface BodyView extends InterfaceView {
  /** Another body that it is like; null: its members say it. */
  readonly same: string | null
}

export function clientModuleView(
  entity: Entity,
  client: Client,
  routes: readonly KnownRoute[],
): ClientModuleView {
  const { key, source, description } = entity
  const operations = onceNamed(routes.flatMap((route) => operationsOf(client, route)))
  const view = {
    source,
    name: client.name(entity),
    key,
    remark: description === undefined ? `A record of \`${key}\`.` : remark(description),
    attributes: attributesOf(entity, client),
    hasRelations: hasRelations(client, entity),
    meta: metaOf(client, entity),
    listed: listOf(client, entity),
    included: includedOf(client, entity),
    relations: relationsOf(entity, client),
    pivots: entity.relations.flatMap((relation) => pivotTypes(entity, relation, client)),
    hasSearch: hasSearch(entity),
    sort: sortKeys(entity).flatMap((each) => [each, `-${each}`]),
    match: allMatches(client, entity),
    where: [...client.parts.values()].flatMap(({ where }) => where?.(client, entity) ?? []),
    asked: [...client.parts.values()].flatMap(({ asked }) => asked?.(client, entity) ?? []),
    bodies: bodies(entity, client),
    operations,
    canDelete: operations.some(({ name }) => name === 'destroy'),
  }
  return { ...view, ...importsOf(entity, client, codeOf(view)) }
}

/** Two relations may differ only in how they are written. */
function onceNamed(operations: readonly OperationView[]): readonly OperationView[] {
  const taken = new Map<string, number>()
  return operations.map((operation) => {
    const number = (taken.get(operation.name) ?? 0) + 1
    taken.set(operation.name, number)
    return number === 1 ? operation : { ...operation, name: operation.name + number }
  })
}

function attributesOf(entity: Entity, { api }: Client): readonly MemberView[] {
  return membersOf({ ...attributes(api, entity), required: [...alwaysShown(api, entity)] })
}

/** Lists the relations that `include` may name, and their types. */
function relationsOf(entity: Entity, client: Client): readonly MemberView[] {
  const { relations, morphs = [], computed, members, columns } = entity
  const member = (key: string, type: string, about?: string): MemberView => ({
    property: property(key),
    isOptional: false,
    type,
    remark: about === undefined ? null : remark(about),
  })
  const model = (key: string) => `${client.name(client.api.project.entity(key))}Model`
  return [
    ...relations.map((each) =>
      member(each.key, relationType(entity, each, client), each.description),
    ),
    ...morphs.map(({ key, targets, description }) =>
      member(key, `One<${targets.map(model).join(' | ')}>`, description),
    ),
    ...computed.map(({ key, answer }) =>
      member(key, answer === undefined ? 'unknown' : `${answer} | null`),
    ),
    ...members.map(({ key }) => {
      const relation = relations.find(({ name }) => name === key)
      if (relation !== undefined) return member(key, relationType(entity, relation, client))
      const column = columns.find(({ name }) => name === key)
      if (column === undefined) return member(key, 'unknown')
      // A gate may hide it.
      const shown = typeText(shownSchema({ ...column, nullable: true }))
      return member(key, shown)
    }),
  ]
}

function relationType(entity: Entity, relation: Relation, client: Client): string {
  const model = `${client.name(client.api.project.entity(relation.target))}Model`
  if (!isToMany(relation)) return `One<${model}>`
  const pivots = pivotsOf(client, entity, relation)
  return pivots === null ? `Many<${model}>` : `Many<${model}, ${pivots}>`
}

/** The columns of a pivot below a related record, and a pivot row. */
function pivotTypes(entity: Entity, relation: Relation, client: Client): readonly InterfaceView[] {
  const { api } = client
  if (relation.pivot === null) return []
  const shown = api.project.pivot(relation.pivot.table).fields.filter(isShown)
  const own = objectOf(
    Object.fromEntries(shown.map((column) => [column.name, shownSchema(column)])),
    shown.map(({ name }) => name),
  )
  const pivots = pivotsOf(client, entity, relation)
  const name = `${client.name(entity)}${studly(relation.key)}`
  const words = relation.key.replaceAll(/[-_]/g, ' ')
  const row = {
    name: `${name}Row`,
    remark: `A pivot row of ${entity.plural} and ${words}.`,
    members: membersOf(pivotRow(api, entity, relation)),
  }
  if (pivots === null) return [row]
  return [
    { name: pivots, remark: `What the pivot says of ${words}.`, members: membersOf(own) },
    row,
  ]
}

/** Returns the types of bodies; where one is another, it refers to it. */
function bodies(entity: Entity, { api, name }: Client): readonly BodyView[] {
  const prefix = name(entity)
  const members = (write: Write) => membersOf(bodyOf(api, entity, write), true)
  const [store, replace, patch] = [members('store'), members('replace'), members('patch')]
  const names = (all: readonly MemberView[]) => all.map(({ property: name }) => name).join()
  const isSame = names(store) === names(patch)
  const text = (all: readonly MemberView[]) => JSON.stringify(all)
  // An optional member of a patch has another type where every object has one of that name.
  const isPartial =
    isSame && store.every((each) => each.isOptional || !inherited.has(each.property))
  return [
    { name: `${prefix}Store`, remark: 'The body of `store`.', members: store, same: null },
    {
      ...{ name: `${prefix}Replace`, remark: 'The body of `replace`: the whole record.' },
      members: replace,
      same: text(store) === text(replace) ? `${prefix}Store` : null,
    },
    {
      ...{ name: `${prefix}Patch`, remark: 'The body of `patch`: only what changes.' },
      members: patch,
      same: isPartial ? `Partial<${prefix}Store>` : null,
    },
  ]
}

/** All code of a module but its imports, to see what it names; texts and paths name nothing. */
function codeOf(view: Omit<ClientModuleView, 'values' | 'types' | 'imports'>): string {
  const { attributes: shown, relations, pivots, match, where, bodies: sent, operations } = view
  const interfaces = [...pivots, ...sent].flatMap(({ members }) => members)
  const types = [...shown, ...relations, ...match, ...where, ...interfaces].map(({ type }) => type)
  const functions = operations.flatMap(({ generics, parameters, answer, call }) => {
    return [generics, ...parameters, answer, call]
  })
  const own = view.hasRelations ? 'Resource ListQuery Paths' : 'Resource ListQuery'
  const asked = [view.listed ?? '', view.included ?? '']
  return [own, ...asked, ...types, ...functions]
    .join('\n')
    .replaceAll(/'(?:[^'\\]|\\.)*'|`[^`]*`/g, '')
}

function importsOf(entity: Entity, client: Client, code: string) {
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b(?!\\??:)`).test(code)
  const others = client.api.project.entities.filter(({ key }) => key !== entity.key)
  return {
    values: [
      'path',
      'request',
      'requestData',
      'requestFile',
      'requestReturned',
      'requestSearch',
      'walk',
      'walkOn',
      'walkSearch',
      'walkSearchOn',
    ].filter(isNamed),
    types: [...exported, ...Object.keys(readingTypesOf(client))].filter(isNamed),
    imports: others.flatMap((other) => {
      const names = typeEndings.map((ending) => client.name(other) + ending).filter(isNamed)
      return names.length === 0 ? [] : [{ module: client.module(other), names }]
    }),
  }
}
