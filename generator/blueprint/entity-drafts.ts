import type { Entry } from '../manifest/checks.js'
import type { Field } from '../manifest/field.js'
import type { Manifest } from '../manifest/manifest.js'
import type { RepositoryDefinition } from '../manifest/repository.js'
import { findColumn, type EntityDraft } from './entity-draft.js'
import type { FeatureCheck } from './feature.js'
import { fieldColumns } from './fields/fields.js'
import {
  aPageSize,
  aRecord,
  aSentence,
  aText,
  aTruth,
  truthOr,
  checkOptions,
  isFalse,
  isRecord,
  madeBy,
  names,
  oneOf,
  show,
  type Shapes,
} from './fields/shapes.js'
import { groupsOfNames } from './groups.js'
import { checkEntityNames, checkRebuiltNames } from './names/entity-names.js'
import { anId, idOf } from './names/ids.js'
import { entityNames, snakeCase } from './names/names.js'
import { MANIFEST, type Finding, type Report } from './problems.js'
import type { Column } from './types.js'

const REPOSITORY_OPTIONS: Shapes = {
  fields: aRecord,
  related: aRecord,
  title: aText,
  searchable: names,
  match: aRecord,
  sort: names,
  unique: groupsOfNames,
  indexes: groupsOfNames,
  uriKey: aText,
  name: aText,
  id: anId,
  table: aText,
  key: aText,
  timestamps: isFalse,
  public: aTruth,
  defaultPerPage: aPageSize,
  defaultRelatablePerPage: aPageSize,
  hooks: truthOr('inside'),
  description: aSentence,
  renamedFrom: aText,
}

const MANIFEST_OPTIONS: Shapes = {
  database: oneOf('sqlite', 'postgresql'),
  id: anId,
  newPolicies: oneOf('owner', 'signed-in', 'public-read'),
  repositories: aRecord,
}

/** The context in which every repository is read. */
interface Drafting {
  readonly manifest: Manifest
  readonly checks: readonly FeatureCheck[]
  /** The shapes of a repository's options. */
  readonly options: Shapes
  /** The shapes of the manifest's own. */
  readonly ofManifest: Shapes
  readonly report: Report
}

/** Each repository with its names and its own fields; relations come later, when all of them are known. */
export function draftEntities(
  manifest: Manifest,
  checks: readonly FeatureCheck[],
  report: Report,
): readonly EntityDraft[] {
  const drafts: EntityDraft[] = []
  const { type: _, ...written } = manifest
  const shapes = { ...MANIFEST_OPTIONS, ...allOf(checks.map((check) => check.options)) }
  const ofFeatures = allOf(checks.map(({ repositoryOptions }) => repositoryOptions))
  const options = { ...REPOSITORY_OPTIONS, ...ofFeatures }
  const ofRepository = { options, write: (option: string) => `in a repository: { ${option} }` }
  const place = { at: [MANIFEST], of: 'the manifest', report, elsewhere: ofRepository }
  checkOptions(written, shapes, place)
  const drafting = { manifest, checks, options, ofManifest: shapes, report }
  if (Object.keys(manifest.repositories).length === 0) reportEmpty(report)
  const seen = new Map<unknown, string>()
  for (const [path, value] of Object.entries(manifest.repositories)) {
    const twin = seen.get(value)
    seen.set(value, twin ?? path)
    if (twin !== undefined && isRecord(value)) {
      report(repositoryTwice(twin, path))
      continue
    }
    const definition = definitionOf(path, value, drafting)
    if (definition !== null) drafts.push(draftEntity(path, definition, drafting))
  }
  checkEntityNames(drafts, report)
  if (manifest.database === 'sqlite') checkRebuiltNames(drafts, report)
  return drafts
}

/** Shapes of several features as one. */
export const allOf = (shapes: readonly (Shapes | undefined)[]): Shapes =>
  Object.assign({}, ...shapes)

const repositoryTwice = (first: string, path: string): Finding => ({
  rule: 'repository-twice',
  at: [MANIFEST, 'repositories', path],
  message: `'${path}' is the very repository that '${first}' is, and each has to be one of its own`,
  fix: `call repository() for '${path}' too, or leave it out`,
})

function reportEmpty(report: Report): void {
  report({
    rule: 'no-repositories',
    at: [MANIFEST, 'repositories'],
    message: 'the manifest has no repositories, so there is nothing to serve',
    fix: 'repositories: { posts: repository({ fields: { title: text() } }) }',
  })
}

function definitionOf(
  path: string,
  value: unknown,
  { checks, options: shapes, ofManifest, report }: Drafting,
): RepositoryDefinition | null {
  if (!isRecord(value) || value['type'] !== 'repository' || !isRecord(value['definition'])) {
    report({
      rule: 'not-a-repository',
      at: [path],
      message: `'${path}' is ${isRecord(value) ? 'an object' : show(value)}, which is not what repository() gives`,
      fix: `export const ${snakeCase(path)} = repository({ fields: { … } })`,
    })
    return null
  }
  const elsewhere = {
    options: ofManifest,
    write: (option: string) => `defineManifest({ ${option}, … })`,
  }
  const place = { at: [path], of: `repository '${path}'`, report, elsewhere }
  const names = Object.keys(value['definition'])
  // An option that there is not may be meant for them, and is reported below.
  const isEachKnown = names.every((name) => Object.hasOwn(shapes, name))
  if (!names.includes('fields') && isEachKnown) report(noFields(path))
  // Every option has the shape its type says: the others were reported and left out.
  const options = checkOptions(
    checks.reduce((written, { plain }) => plain?.(written) ?? written, value['definition']),
    shapes,
    place,
  ) as Partial<RepositoryDefinition>
  return { ...options, fields: options.fields ?? {} }
}

const noFields = (path: string): Finding => ({
  rule: 'no-fields',
  at: [path],
  message: `repository '${path}' does not say which fields it has`,
  fix: 'fields: { name: text() }; or fields: {}, where relations are all it has',
})

function draftEntity(
  path: string,
  written: RepositoryDefinition,
  { manifest, checks, options, report }: Drafting,
): EntityDraft {
  const key = written.uriKey ?? path
  const { definition, listed } = withListed(path, written, report)
  const fields = fieldColumns(definition.fields, { at: [path, 'fields'], what: 'field', report })
  const idAt = definition.id === undefined ? [MANIFEST, 'id'] : [path, 'id']
  const draft: EntityDraft = {
    path,
    key,
    names: namesOf(key, definition),
    ...idOf(definition.id ?? manifest.id, { at: idAt, what: `repository '${path}'`, report }),
    definition,
    asWritten: writtenAs(manifest.repositories[path]),
    written: new Set([
      ...Object.keys(definition.fields),
      ...misplaced(manifest.repositories[path], options),
    ]),
    listed,
    fields: [...fields],
    foreign: [],
    morphs: [],
    relations: [],
    morphTo: [],
    computed: [],
    members: [],
  }
  for (const { columns } of checks)
    for (const each of columns?.(draft, report) ?? []) put(draft, each)
  checkRenames(draft, report)
  for (const field of draft.fields) checkFilling(draft, field, report)
  return draft
}

/** Adds a feature's column beside the fields, or in place of one. */
function put({ fields }: EntityDraft, column: Column): void {
  const at = fields.findIndex(({ name }) => name === column.name)
  if (at === -1) fields.push(column)
  else fields.splice(at, 1, column)
}

const writtenAs = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) && isRecord(value['definition']) ? value['definition'] : {}

/** Lists the parts of an option that does not exist: `field: { name: text() }`. */
function misplaced(value: unknown, shapes: Shapes): readonly string[] {
  return Object.entries(writtenAs(value)).flatMap(([option, entries]) =>
    !Object.hasOwn(shapes, option) && isRecord(entries) ? Object.keys(entries) : [],
  )
}

function namesOf(key: string, { name, table }: RepositoryDefinition): EntityDraft['names'] {
  const names = entityNames(key, name)
  return table === undefined ? names : { ...names, table }
}

/** A has-many among the fields (spec 2.4) is a relation like those under `related`. */
function withListed(
  path: string,
  definition: RepositoryDefinition,
  report: Report,
): { readonly definition: RepositoryDefinition; readonly listed: ReadonlySet<string> } {
  const isListed = ([, value]: readonly [string, unknown]) => madeBy(value) === 'hasMany'
  const entries = Object.entries<Field | Entry>(definition.fields)
  const found = entries.filter(isListed)
  if (found.length === 0) return { definition, listed: new Set() }
  const { related = {} } = definition
  for (const [key] of found.filter(([name]) => Object.hasOwn(related, name))) {
    report({
      rule: 'listed-twice',
      at: [path, 'fields', key],
      message: `'${key}' is in fields and in related of '${path}'`,
      fix: 'leave one out',
    })
  }
  const rest = entries.filter((entry) => !isListed(entry))
  const fields = Object.fromEntries(rest) as RepositoryDefinition['fields']
  // `madeBy` has looked: they are relations, which the compiler knew before.
  const relations = Object.fromEntries(found) as NonNullable<RepositoryDefinition['related']>
  return {
    definition: { ...definition, fields, related: { ...relations, ...related } },
    listed: new Set(found.map(([key]) => key)),
  }
}

function checkRenames(draft: EntityDraft, report: Report): void {
  for (const { name, renamedFrom } of draft.fields) {
    // A folded column follows the field it is folded from.
    if (renamedFrom === undefined || !Object.hasOwn(draft.definition.fields, name)) continue
    if (findColumn(draft, renamedFrom) === undefined) continue
    report({
      rule: 'renamed-from',
      at: [draft.path, 'fields', name, 'renamedFrom'],
      message: `field '${name}' was renamed from '${renamedFrom}', and '${renamedFrom}' is still a column of '${draft.path}'`,
      fix: `leave .renamedFrom('${renamedFrom}') out, or remove '${renamedFrom}'`,
    })
  }
}

/** A required column that no request may write must be filled by something. */
function checkFilling({ path, definition }: EntityDraft, field: Column, report: Report): void {
  const isFilled =
    field.nullable ||
    field.generated === true ||
    field.default !== undefined ||
    (definition.hooks ?? false) !== false
  const isWrong = definition.fields[field.name]?.definition.default !== undefined
  if (!field.readonly || isFilled || isWrong) return
  report({
    rule: 'unfillable',
    at: [path, 'fields', field.name],
    message: `field '${field.name}' is required, and no request may write it: no record could be stored`,
    fix: `.default(…) or .nullable(); or 'hooks: true' in the repository, to fill it in app/Hooks`,
  })
}
