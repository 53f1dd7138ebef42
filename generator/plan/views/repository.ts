import type { Column, Entity, Match } from '../../blueprint/types.js'
import { isChoiceOfOne, storedAs } from '../../kinds/kinds.js'
import { literal, property } from '../../source/literal.js'
import { entityLines, policyPath, type Surroundings } from '../project.js'
import type { EntitySlots } from '../render/slots.js'
import {
  defaultOf,
  entriesOf,
  pivotRulesOf,
  referencesOf,
  relationView,
  targetsOf,
} from './fields/relations.js'
import type { EntryView, RelationView } from './fields/relations.js'
import { ruleOf, type Rule } from './fields/rule.js'
import { storageOf } from './fields/storage.js'

export interface RepositoryView {
  readonly source: string
  readonly name: string
  readonly key: string
  readonly table: string
  readonly title: string | null
  readonly isPublic: boolean
  readonly hasHooks: boolean
  /** False: its developer deleted the policy, and everyone is denied. */
  readonly hasPolicy: boolean
  readonly relationImports: readonly string[]
  readonly ruleImports: readonly RuleImport[]
  /** Names of the other repositories referred to. */
  readonly targets: readonly string[]
  readonly columns: readonly { readonly property: string; readonly storage: string }[]
  /** `ordered_at: 'Order Date'`: what the table calls them, where that is another name. */
  readonly columnNames: readonly string[]
  readonly generated: readonly string[]
  readonly enumTypes: readonly string[]
  readonly attributes: readonly string[]
  readonly rules: readonly (Rule & { readonly property: string })[]
  readonly defaults: readonly string[]
  /** `'email'`, `['company_id', 'sku']`; empty unless there are several. */
  readonly unique: readonly string[]
  readonly searchable: readonly string[]
  readonly match: readonly string[]
  readonly sort: readonly string[]
  /** Null where it is what everyone has. */
  readonly perPage: number | null
  readonly relatablePerPage: number | null
  readonly hasEntries: boolean
  readonly relations: readonly RelationView[]
  /** Computed and member entries. */
  readonly entries: readonly EntryView[]
  readonly references: readonly string[]
  readonly slots: EntitySlots
}

/** Rules of one file of `runtime/input/`. */
export interface RuleImport {
  readonly file: string
  readonly names: readonly string[]
}

const usualPage = 15

export function repositoryView(entity: Entity, project: Surroundings): RepositoryView {
  return {
    ...identityOf(entity),
    hasPolicy: !project.deleted.has(policyPath(entity)),
    ...columnsOf(entity, project),
    ...queryOf(entity),
    ...relatedOf(entity, project),
    slots: entityLines(entity, project),
  }
}

function identityOf(entity: Entity) {
  const { source, name, key, table, title, isPublic, hasHooks } = entity
  return { source, name, key, table, title, isPublic, hasHooks }
}

function columnsOf(entity: Entity, project: Surroundings) {
  const rules = entity.columns
    .filter(({ readonly }) => !readonly)
    .map((column) => ({ property: property(column.name), ...ruleIn(entity, column, project) }))
  return {
    columns: entity.columns.map((column) => ({
      property: property(column.name),
      storage: storageOf(column),
    })),
    columnNames: entity.columns.flatMap(({ name, stored }) =>
      stored === undefined ? [] : [`${property(name)}: ${literal(stored)}`],
    ),
    generated: entity.columns.filter((each) => each.generated === true).map(({ name }) => name),
    enumTypes: entity.columns.flatMap(({ name, enumType }) =>
      enumType === undefined ? [] : [`${property(name)}: ${literal(enumType)}`],
    ),
    attributes: entity.columns.filter(isShown).map(({ name }) => name),
    rules,
    ruleImports: ruleImportsOf([...rules, ...pivotRulesOf(entity, project)]),
    defaults: entity.columns.flatMap(defaultOf),
    unique: uniqueOf(entity),
  }
}

/** The database tells of one that is taken; where there are several, the server looks for the others. */
function uniqueOf({ columns, unique = [] }: Entity): readonly string[] {
  const alone = columns.filter((column) => column.unique).map(({ name }) => literal(name))
  const together = unique.map((names) => `[${names.map(literal).join(', ')}]`)
  const keys = [...alone, ...together]
  return keys.length > 1 ? keys : []
}

/** A user is found by e-mail, however it is written. */
export function ruleIn(entity: Entity, column: Column, { auth }: Pick<Surroundings, 'auth'>): Rule {
  const rule = ruleOf(column)
  if (entity.key !== auth?.key || column.name !== 'email') return rule
  return { ...rule, text: rule.text.replace(/^email\(\)/, 'email().toLowerCase()') }
}

function queryOf(entity: Entity) {
  return {
    searchable: entity.searchable,
    match: entity.match.map((each) => matchLine(entity, each)),
    sort: entity.sort,
    perPage: entity.perPage === usualPage ? null : entity.perPage,
    relatablePerPage: entity.relatablePerPage === usualPage ? null : entity.relatablePerPage,
  }
}

/** A column that clients filter by, and how. */
export const matchLine = (entity: Entity, match: Match): string =>
  `${property(match.column)}: ${matchText(entity, match)}`

const matchText = ({ columns }: Entity, { column: name, type }: Match): string =>
  matchTypeText(
    columns.find((each) => each.name === name),
    type,
  )

/** A select is matched by its options alone. */
export const matchTypeText = (column: Column | undefined, type: string): string =>
  column !== undefined && isChoiceOfOne(column.kind)
    ? `[${(column.options ?? []).map(literal).join(', ')}]`
    : literal(type)

function relatedOf(entity: Entity, project: Surroundings) {
  const relations = entity.relations.map((relation) => relationView(relation, project))
  const entries = entriesOf(entity, project)
  const references = referencesOf(entity, project)
  const uses = [...relations, ...entries].flatMap(({ use }) => use ?? [])
  const hasEntries = relations.length + entries.length > 0
  const isRelated = hasEntries || references.length > 0
  return {
    relationImports: isRelated ? sortedNames([...uses, 'related']) : [],
    targets: targetsOf(entity, project),
    hasEntries,
    relations,
    entries,
    references,
  }
}

/** A password is stored as its hash and never shown; the id is shown beside the attributes. */
export const isShown = (column: Column) =>
  !column.hidden && column.role !== 'id' && !storedAs(column).isSecret

export function ruleImportsOf(rules: readonly Rule[]): readonly RuleImport[] {
  const functions = rules.flatMap((rule) => rule.functions)
  const fileOf = new Map(functions.map(({ use, file }) => [use, file]))
  const files = new Map<string, string[]>()
  for (const [name, file] of [...fileOf].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    files.set(file, [...(files.get(file) ?? []), name])
  }
  return [...files].map(([file, names]) => ({ file, names }))
}

const sortedNames = (names: readonly string[]) => [...new Set(names)].toSorted()
