import type { Column, Entity } from '../../blueprint/types.js'
import { literal, property } from '../literal.js'
import { policyPath, type Surroundings } from '../project.js'
import {
  defaultOf,
  entriesOf,
  pivotRulesOf,
  referencesOf,
  relationView,
  targetsOf,
} from './relations.js'
import type { EntryView, RelationView } from './relations.js'
import { ruleOf, type Rule } from './rule.js'
import { storageOf } from './storage.js'

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
  readonly hasPassword: boolean
  /** Its rows sign in; and the column that says since when their e-mail is verified. */
  readonly signsIn: boolean
  readonly verifiedAt: string | null
  readonly relationImports: readonly string[]
  readonly ruleImports: readonly RuleImport[]
  /** Names of the other repositories referred to. */
  readonly targets: readonly string[]
  readonly columns: readonly { readonly property: string; readonly storage: string }[]
  /** `ordered_at: 'Order Date'`: what the table calls them, where that is another name. */
  readonly columnNames: readonly string[]
  /** Its keys are made by the server. */
  readonly hasUuids: boolean
  readonly generated: readonly string[]
  readonly enumTypes: readonly string[]
  readonly attributes: readonly string[]
  readonly rules: readonly (Rule & { readonly property: string })[]
  readonly defaults: readonly string[]
  /** `'email'`, `['company_id', 'sku']`; empty unless there are several. */
  readonly unique: readonly string[]
  readonly searchable: readonly string[]
  /** `title: 'title_folded'` */
  readonly folded: readonly string[]
  readonly match: readonly string[]
  readonly sort: readonly string[]
  /** Null where it is what everyone has. */
  readonly perPage: number | null
  readonly relatablePerPage: number | null
  readonly hasEntries: boolean
  /** Some entry is a morphTo. */
  readonly hasMorphs: boolean
  readonly relations: readonly RelationView[]
  /** Computed and member entries. */
  readonly entries: readonly EntryView[]
  readonly references: readonly string[]
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
    hasPassword: entity.columns.some(({ kind }) => kind === 'password'),
    signsIn: entity.key === project.auth?.key,
    verifiedAt: entity.key === project.auth?.key ? verifiedAtOf(entity) : null,
    columns: entity.columns.map((column) => ({
      property: property(column.name),
      storage: storageOf(column),
    })),
    columnNames: entity.columns.flatMap(({ name, stored }) =>
      stored === undefined ? [] : [`${property(name)}: ${literal(stored)}`],
    ),
    hasUuids: entity.columns.some(({ role, kind }) => role === 'id' && kind === 'uuid'),
    generated: entity.columns.filter((each) => each.generated === true).map(({ name }) => name),
    enumTypes: entity.columns.flatMap(({ name, enumType }) =>
      enumType === undefined ? [] : [`${property(name)}: ${literal(enumType)}`],
    ),
    attributes: entity.columns.filter(isShown).map(({ name }) => name),
    rules,
    ruleImports: ruleImportsOf([...rules.map(({ use }) => use), ...pivotRulesOf(entity, project)]),
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

function verifiedAtOf({ columns }: Entity): string | null {
  const column = columns.find(({ name }) => name === 'email_verified_at')
  return column?.kind === 'dateTime' && column.nullable ? column.name : null
}

/** Who signs in is found by e-mail, however it is written. */
export function ruleIn(entity: Entity, column: Column, { auth }: Pick<Surroundings, 'auth'>): Rule {
  const rule = ruleOf(column)
  if (entity.key !== auth?.key || column.name !== 'email') return rule
  return { ...rule, text: rule.text.replace(/^email\(\)/, 'email().toLowerCase()') }
}

function queryOf(entity: Entity) {
  return {
    searchable: entity.searchable,
    folded: entity.columns.flatMap(({ name, folded }) =>
      folded === undefined ? [] : [`${property(name)}: ${literal(folded)}`],
    ),
    match: entity.match.map(({ column, type }) => `${property(column)}: ${literal(type)}`),
    sort: entity.sort,
    perPage: entity.perPage === usualPage ? null : entity.perPage,
    relatablePerPage: entity.relatablePerPage === usualPage ? null : entity.relatablePerPage,
  }
}

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
    hasMorphs: (entity.morphs ?? []).length > 0,
    relations,
    entries,
    references,
  }
}

/** A password is stored as its hash and never shown; the id is shown beside the attributes. */
export const isShown = (column: Column) =>
  !column.hidden && column.role !== 'id' && column.kind !== 'password'

/** Rules that only some projects need have files of their own. */
const ruleFiles: Readonly<Record<string, string>> = {
  date: 'time-rules',
  dateTime: 'time-rules',
  decimal: 'decimal-rule',
  json: 'json-rule',
  multiSelect: 'choice-rules',
  reference: 'id-rules',
  select: 'choice-rules',
  uuid: 'id-rules',
}

export function ruleImportsOf(uses: readonly string[]): readonly RuleImport[] {
  const files = new Map<string, string[]>()
  for (const name of sortedNames(uses)) {
    const file = ruleFiles[name] ?? 'rules'
    files.set(file, [...(files.get(file) ?? []), name])
  }
  return [...files].map(([file, names]) => ({ file, names }))
}

const sortedNames = (names: readonly string[]) => [...new Set(names)].toSorted()
