import { column, type EntityDraft } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { isRecord, nearestWord, type Shape } from '../../blueprint/fields/shapes.js'
import type { Finding } from '../../blueprint/problems.js'
import type { Column } from '../../blueprint/types.js'
import type { RepositoryDefinition } from '../../manifest/repository.js'

const versioned: Shape = {
  says: "true, false, 'required' or an object with the name of the column",
  example: 'true',
  holds: (value) => typeof value === 'boolean' || value === 'required' || isColumn(value),
  meant: (value) => nearestWord(value, ['required']),
}

const isColumn = (value: unknown) =>
  isRecord(value) &&
  typeof value['column'] === 'string' &&
  ['undefined', 'boolean'].includes(typeof value['required']) &&
  Object.keys(value).every((key) => key === 'column' || key === 'required')

/** A number of each record that every write counts up. */
export const versionsCheck: FeatureCheck = {
  repositoryOptions: { versioned },
  columns: (draft, report) => {
    const said = saidOf(draft.definition)
    if (said === null) return []
    const problem = problemOf(draft, said.column)
    if (problem !== null) report(problem)
    return problem === null ? [versionColumn(draft, said.column)] : []
  },
  facts: (_, { drafts }) => {
    const all = drafts.flatMap((draft) => {
      const said = saidOf(draft.definition)
      return said === null ? [] : [[draft.key, said] as const]
    })
    return all.length === 0 ? undefined : Object.fromEntries(all)
  },
}

// A type, and no interface: it is JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type Versioned = {
  readonly column: string
  readonly isRequired: boolean
}

function saidOf({ versioned: said = false }: RepositoryDefinition): Versioned | null {
  if (said === false) return null
  if (typeof said === 'object') return { column: said.column, isRequired: said.required ?? false }
  return { column: 'version', isRequired: said === 'required' }
}

/** Reads a repository's versions from the blueprint; null: it keeps none. */
export const versionsFact = factOf<Versioned>('versions')

/** A field of that name that is declared is taken; its values stay. */
function versionColumn({ fields }: EntityDraft, name: string): Column {
  const declared = fields.find((each) => each.name === name)
  const facts = { nullable: false, hidden: true, readonly: true }
  if (declared !== undefined) return { ...declared, default: declared.default ?? 1, ...facts }
  return column({ name, role: 'field', kind: 'integer', default: 1, ...facts })
}

function problemOf({ path, definition, fields }: EntityDraft, name: string): Finding | null {
  const field = fields.find((each) => each.name.toLowerCase() === name.toLowerCase())
  const at = [path, 'versioned']
  if (typeof definition.versioned !== 'object') {
    if (field === undefined) return null
    return {
      rule: 'version-taken',
      at,
      message: `'${path}' is versioned, and has a field '${field.name}' already`,
      fix: `versioned: { column: '${field.name}' } where that counts the writes of a record, else { column: 'lock_version' }`,
    }
  }
  if (field === undefined) {
    return /^[a-z][a-z0-9_]{0,40}$/.test(name) && !taken.has(name) ? null : noColumn(path, name)
  }
  const isNumber = field.name === name && field.kind === 'integer' && !field.unique
  if (isNumber && !field.nullable && field.generated !== true) return null
  return {
    rule: 'version-column',
    at,
    message: `'${path}' is versioned by '${field.name}', which is not a whole number that every record has`,
    fix: `${field.name}: integer(), neither nullable nor unique; or name another column`,
  }
}

const taken = new Set(['id', 'created_at', 'updated_at', 'pivot', 'oid', 'rowid', 'ctid'])

const noColumn = (path: string, name: string): Finding => ({
  rule: 'version-column',
  at: [path, 'versioned'],
  message: `'${path}' is versioned by '${name}', which cannot be the name of a column of its own`,
  fix: "versioned: { column: 'lock_version' }",
})
