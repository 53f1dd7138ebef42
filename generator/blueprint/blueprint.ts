import type { Manifest } from '../manifest/manifest.js'
import { checkAuth, checkEmail, checkUserColumns, findAuth, type UserModel } from './auth.js'
import { columnsOf, type Context, type EntityDraft } from './entity-draft.js'
import { allOf, draftEntities } from './entity-drafts.js'
import type { CheckedFeature, FeatureCheck } from './feature.js'
import { isIndexable } from './fields/bounds.js'
import { checkDecimals } from './fields/decimals.js'
import { firstPolicyOf } from './first-policy.js'
import { checkGroups, groupsOf, indexedAlone } from './groups.js'
import { checkLists, matchesOf } from './lists.js'
import { checkMembers } from './members.js'
import { checkStoredNames } from './names/column-names.js'
import { checkKeyNames } from './names/key-names.js'
import {
  inFileOrder,
  locateFindings,
  MANIFEST,
  type Finding,
  type Path,
  type Position,
} from './problems.js'
import { findForeignKeys } from './relations/foreign-keys.js'
import { linksFrom, type Link } from './relations/link.js'
import { addMorphs, checkMorphs } from './relations/morph-to.js'
import { addMorphColumns } from './relations/morphs.js'
import { checkOtherSides } from './relations/other-sides.js'
import { checkPivots } from './relations/pivot-agreement.js'
import { findPivots, pivotsOf, type PivotLink } from './relations/pivots.js'
import { readEntries } from './relations/related.js'
import { addRelations, checkRelations } from './relations/relations.js'
import type { Blueprint, Column, Entity, FeatureTable, Json, Pivot, Problem } from './types.js'

/** The blueprint needs this besides the manifest: the place of each part, and the config. */
export interface BlueprintOptions {
  readonly features: readonly CheckedFeature[]
  readonly sources: Sources
  /** From `config/svc.ts`; null where there is none. */
  readonly userModel?: (UserModel & { readonly position: Position }) | null
  /** Problems found while the files were read: reported with the rest. */
  readonly twice?: readonly Problem[]
}

export interface Sources {
  /** The file of each repository, by its key in `defineManifest`. */
  readonly repositories: ReadonlyMap<string, string>
  /** Finds the position of a part of the manifest; the closest place that can be found. */
  readonly locate: (path: Path) => Position
  /** The file of the manifest that exports a name, listed in defineManifest or not. */
  readonly exporting?: (name: string) => string | undefined
}

/** Checks a manifest and decides everything in it: a blueprint, or all that is wrong, in file order. */
export function buildBlueprint(
  manifest: Manifest,
  options: BlueprintOptions,
): { readonly blueprint: Blueprint } | { readonly problems: readonly Problem[] } {
  const findings: Finding[] = []
  const resolved = resolve(manifest, options, (finding) => findings.push(finding))
  const { drafts, auth, pivots, features, tables, checks } = resolved
  const problems = [
    ...inFileOrder([...(options.twice ?? []), ...locateFindings(findings, options.sources.locate)]),
    ...configProblems(drafts, auth, options),
  ]
  if (problems.length > 0) return { problems }
  const { repositories } = options.sources
  const { database, newPolicies: opens } = manifest
  const entities = drafts.map((draft) => {
    const entity = entityOf(draft, repositories.get(draft.path) ?? 'manifest', checks)
    if (opens === undefined) return entity
    return { ...entity, firstPolicy: firstPolicyOf(draft, drafts, auth, opens) }
  })
  const userWith = auth === null ? undefined : options.userModel?.userWith
  const loaded = userWith === undefined ? {} : { userWith }
  const described = { database, auth: auth?.key ?? null, ...loaded, entities }
  const blueprint = { ...described, pivots: pivotsOf(pivots), features, tables }
  return { blueprint: withKept(blueprint, options.features) }
}

/** Objects that the database keeps beside tables follow from all options of the tables. */
export function withKept(blueprint: Blueprint, features: readonly CheckedFeature[]): Blueprint {
  const entities = blueprint.entities.map((given) => {
    const { kept: _, ...entity } = given
    const kept = features.flatMap((feature) => feature.kept?.(entity, blueprint) ?? [])
    return kept.length === 0 ? entity : { ...entity, kept }
  })
  return { ...blueprint, entities }
}

function configProblems(
  drafts: readonly EntityDraft[],
  auth: EntityDraft | null,
  { userModel = null }: BlueprintOptions,
): readonly Problem[] {
  if (userModel === null) return []
  const finding = checkAuth(drafts, userModel)
  const all = [...(finding === null ? [] : [finding]), ...checkUserColumns(auth, userModel)]
  return all.map((each) => ({ ...userModel.position, ...each }))
}

interface Resolved {
  readonly drafts: readonly EntityDraft[]
  readonly auth: EntityDraft | null
  readonly pivots: readonly PivotLink[]
  readonly features: Blueprint['features']
  readonly tables: Blueprint['tables']
  readonly checks: readonly FeatureCheck[]
}

/** The steps in their order: each one knows what the ones before have found. */
function resolve(
  manifest: Manifest,
  { userModel = null, sources, features }: BlueprintOptions,
  report: Context['report'],
): Resolved {
  const checks = features.flatMap(({ check }) => check ?? [])
  const drafts = draftEntities(manifest, checks, report)
  const auth = findAuth(drafts, userModel)
  const named = new Map(drafts.map((draft) => [draft.path, draft]))
  const hasOptions = allOf(checks.map((check) => check.hasOptions))
  const unlisted = unlistedIn(sources)
  const context: Context = { drafts, named, auth, report, unlisted, hasOptions }
  const email = checkEmail(auth)
  if (email !== null) report(email)
  const declared = drafts.flatMap((draft) => readEntries(draft, context))
  const links = checks.reduce<readonly Link[]>(
    (known, each) => each.links?.(manifest, context, known) ?? known,
    declared,
  )
  const keys = findForeignKeys(links, context)
  checkOtherSides(links, keys, context)
  addMorphColumns(links, context)
  for (const draft of drafts) addMorphs(draft, links, context)
  checkMorphs(links, context)
  const pivots = findPivots(links, context)
  checkPivots(pivots, context)
  addRelations(links, keys, pivots)
  checkRelations(links, keys, context)
  checkKeyNames(links, context)
  checkStoredNames(keys, manifest.database, context)
  const entries = linksFrom(links)
  for (const draft of drafts) {
    checkMembers(draft, entries.get(draft) ?? [], context)
    const others = { sort: otherSortKeys(draft, checks), match: otherMatchKeys(draft, checks) }
    checkLists(draft, entries.get(draft) ?? [], others, context)
    checkGroups(draft, context)
  }
  if (manifest.database === 'sqlite') checkDecimals(pivots, context)
  const { newPolicies } = manifest
  if (auth === null && (newPolicies === 'owner' || newPolicies === 'signed-in')) {
    report(opensToNobody(newPolicies))
  }
  const said = featuresOf(features, manifest, context, pivotsOf(pivots))
  return { drafts, auth, pivots, checks, ...said }
}

function featuresOf(
  all: readonly CheckedFeature[],
  manifest: Manifest,
  context: Context,
  pivots: readonly Pivot[],
): Pick<Resolved, 'features' | 'tables'> {
  const features: Record<string, Json> = {}
  const found: FeatureTable[] = []
  for (const { name, check: { facts, tables } = {} } of all) {
    const said = facts?.(manifest, context, pivots)
    if (said !== undefined) features[name] = said
    const isOff = facts !== undefined && said === undefined
    if (!isOff && tables !== undefined) found.push(...tables(context))
  }
  return { features, tables: found }
}

const opensToNobody = (newPolicies: 'owner' | 'signed-in'): Finding => ({
  rule: 'policies-without-users',
  at: [MANIFEST, 'newPolicies'],
  message: `newPolicies is '${newPolicies}', and there is no auth repository`,
  fix: "a repository 'users' with the fields email: email() and password: password(), newPolicies: 'public-read', or leave it out",
})

/** A repository that is listed under another name has its own key. */
function unlistedIn({ exporting, repositories }: Sources): Context['unlisted'] {
  return (name) => {
    const file = exporting?.(name)
    return [...repositories.values()].some((listed) => listed === file) ? undefined : file
  }
}

const USUAL_PAGE = 15

function entityOf(draft: EntityDraft, source: string, checks: readonly FeatureCheck[]): Entity {
  const { key, id, definition, relations, morphTo, computed, members } = draft
  const { name, variable, singular, plural, table } = draft.names
  const { description, renamedFrom } = definition
  return {
    key,
    name,
    variable,
    singular,
    plural,
    table,
    ...(definition.table === undefined ? {} : { isExisting: true as const }),
    source,
    id,
    title: definition.title ?? null,
    isPublic: definition.public ?? false,
    columns: indexed(draft, checks),
    relations,
    ...(morphTo.length === 0 ? {} : { morphs: morphTo }),
    computed,
    members,
    searchable: definition.searchable ?? [],
    match: matchesOf(draft, otherMatchKeys(draft, checks)),
    ...sortOf(draft, checks),
    ...groupsOf(draft),
    perPage: definition.defaultPerPage ?? USUAL_PAGE,
    relatablePerPage: definition.defaultRelatablePerPage ?? USUAL_PAGE,
    hasHooks: (definition.hooks ?? false) !== false || computed.length > 0,
    ...(description === undefined ? {} : { description }),
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
  }
}

/** Keys of `sort` that are no columns: features answer them. */
const otherSortKeys = (draft: EntityDraft, checks: readonly FeatureCheck[]): readonly string[] =>
  checks.flatMap(({ sortKeys }) => sortKeys?.(draft) ?? [])

/** Lists the keys of `match` that are no columns. */
const otherMatchKeys = (draft: EntityDraft, checks: readonly FeatureCheck[]): readonly string[] =>
  checks.flatMap(({ matchKeys }) => matchKeys?.(draft) ?? [])

function sortOf(
  draft: EntityDraft,
  checks: readonly FeatureCheck[],
): Pick<Entity, 'sort' | 'otherSort'> {
  const { sort = [] } = draft.definition
  const otherSort = otherSortKeys(draft, checks)
  if (otherSort.length === 0) return { sort }
  return { sort: sort.filter((name) => !otherSort.includes(name)), otherSort }
}

/** Columns that lists are sorted or matched by get an index, where one helps and can hold them. */
function indexed(draft: EntityDraft, checks: readonly FeatureCheck[]): readonly Column[] {
  const others = otherMatchKeys(draft, checks)
  const matched = matchesOf(draft, others).filter(({ type }) => type !== 'partial')
  const used = new Set([
    ...(draft.definition.sort ?? []),
    ...matched.map(({ column }) => column),
    ...indexedAlone(draft),
  ])
  return columnsOf(draft).map((column) => {
    const isKey = column.role === 'id' || column.unique
    const isWanted = used.has(column.name) && isIndexable(column)
    return { ...column, indexed: !isKey && (column.indexed || isWanted) }
  })
}
