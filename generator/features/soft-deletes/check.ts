import { column, type Context, type EntityDraft } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { isRecord, names, type Shape } from '../../blueprint/fields/shapes.js'
import { nearest, type Finding } from '../../blueprint/problems.js'
import type { Column } from '../../blueprint/types.js'
import type { RepositoryDefinition } from '../../manifest/repository.js'

const softDeletes: Shape = {
  says: 'true, false or an object with column, cascade (a list of relations) and keepDays (a whole number, 1 or more)',
  example: 'true',
  holds: (value) => typeof value === 'boolean' || isOptions(value),
}

const isOptions = (value: unknown) =>
  isRecord(value) &&
  ['undefined', 'string'].includes(typeof value['column']) &&
  (value['cascade'] === undefined || names.holds(value['cascade'])) &&
  (value['keepDays'] === undefined || isDays(value['keepDays'])) &&
  Object.keys(value).every((key) => ['column', 'cascade', 'keepDays'].includes(key))

/** A hundred years are as good as for ever. */
const isDays = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 36_525

/** Records that are deleted stay in their table, with the moment in a column. */
export const softDeletesCheck: FeatureCheck = {
  repositoryOptions: { softDeletes },
  columns: (draft, report) => {
    const said = saidOf(draft.definition)
    if (said === null) return []
    const problem = problemOf(draft, said.column)
    for (const each of [problem, ...takenWords(draft)]) if (each !== null) report(each)
    return problem === null ? [absenceColumn(draft, said.column)] : []
  },
  facts: (_, context) => {
    const { drafts } = context
    for (const each of drafts.flatMap((draft) => wrongCascades(draft, context)))
      context.report(each)
    const all = drafts.flatMap((draft) => {
      const said = saidOf(draft.definition)
      return said === null ? [] : [[draft.key, said] as const]
    })
    return all.length === 0 ? undefined : Object.fromEntries(all)
  },
}

// A type, and no interface: it is JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type SoftDeletes = {
  readonly column: string
  readonly cascade: readonly string[]
  readonly keepDays?: number
}

export const usualColumn = 'deleted_at'

function saidOf({ softDeletes: said = false }: RepositoryDefinition): SoftDeletes | null {
  if (said === false) return null
  const { column: name = usualColumn, cascade = [], keepDays } = said === true ? {} : said
  return { column: name, cascade, ...(keepDays === undefined ? {} : { keepDays }) }
}

/** Reads a repository's trash from the blueprint; null: deleted records are gone. */
export const softDeletesFact = factOf<SoftDeletes>('softDeletes')

/** A field of that name that is declared is taken; its values stay. */
function absenceColumn({ fields }: EntityDraft, name: string): Column {
  const declared = fields.find((each) => each.name === name)
  const facts = { nullable: true, hidden: true, readonly: true, absence: true as const }
  return declared === undefined
    ? column({ name, role: 'field', kind: 'dateTime', ...facts })
    : { ...declared, ...facts }
}

function problemOf({ path, definition, fields }: EntityDraft, name: string): Finding | null {
  const field = fields.find((each) => each.name.toLowerCase() === name.toLowerCase())
  const at = [path, 'softDeletes']
  const isAdopted =
    typeof definition.softDeletes === 'object' && definition.softDeletes.column !== undefined
  if (field === undefined) {
    if (/^[a-z][a-z0-9_]{0,40}$/.test(name) && !taken.has(name)) return null
    return {
      rule: 'soft-deletes-column',
      at,
      message: `'${path}' deletes softly by '${name}', which cannot be the name of a column of its own`,
      fix: "softDeletes: { column: 'removed_at' }",
    }
  }
  if (!isAdopted) {
    return {
      rule: 'soft-deletes-taken',
      at,
      message: `'${path}' deletes softly, and has a field '${field.name}' already`,
      fix: `softDeletes: { column: '${field.name}' } where that says since when a record is deleted, else { column: 'removed_at' }`,
    }
  }
  const isMoment = field.name === name && field.kind === 'dateTime' && field.default === undefined
  if (isMoment && field.nullable && !field.unique && field.generated !== true) return null
  return {
    rule: 'soft-deletes-column',
    at,
    message: `'${path}' deletes softly by '${field.name}', which does not say since when a record is deleted`,
    fix: `${field.name}: dateTime().nullable(), without a default and not unique; or name another column`,
  }
}

const goingAlong = new Set(['hasMany', 'hasOne', 'morphMany', 'morphOne'])

/** Checks cascades: a repository with a trash, and no circle. */
function wrongCascades(draft: EntityDraft, { drafts, auth }: Context): readonly Finding[] {
  const { path, definition, relations } = draft
  const known = relations.filter(({ kind }) => goingAlong.has(kind)).map(({ key }) => key)
  return (saidOf(definition)?.cascade ?? []).flatMap((name, index) => {
    const at = [path, 'softDeletes', 'cascade', index]
    const relation = relations.find(({ key }) => key === name)
    const target = drafts.find(({ key }) => key === relation?.target)
    const says = (message: string, fix: string): Finding => ({
      ...{ rule: 'soft-deletes-cascade', at, message, known: known.toSorted(), fix },
    })
    if (relation === undefined || target === undefined || !goingAlong.has(relation.kind)) {
      return [
        says(
          `'${name}' in cascade of '${path}' is not a relation whose records belong to one of '${path}'`,
          `'${nearest(name, known) ?? known[0] ?? ''}'`,
        ),
      ]
    }
    if (saidOf(target.definition) === null) {
      return [
        says(
          `'${name}' in cascade of '${path}' leads to '${target.path}', which has no trash`,
          `softDeletes: true in '${target.path}'`,
        ),
      ]
    }
    if (target === auth || leadsTo(target, draft, drafts)) {
      return [
        says(
          target === auth
            ? `'${name}' in cascade of '${path}' leads to users, who are deleted one by one`
            : `'${name}' in cascade of '${path}' leads back to '${path}', so it would have no end`,
          `leave '${name}' out`,
        ),
      ]
    }
    return []
  })
}

function leadsTo(
  from: EntityDraft,
  to: EntityDraft,
  drafts: readonly EntityDraft[],
  seen = new Set<EntityDraft>(),
): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return (saidOf(from.definition)?.cascade ?? []).some((name) => {
    const relation = from.relations.find(({ key }) => key === name)
    const next = drafts.find(({ key }) => key === relation?.target)
    return next !== undefined && leadsTo(next, to, drafts, seen)
  })
}

/** Lists names that its route and its parameter would be mistaken for. */
function takenWords({ path, definition }: EntityDraft): readonly (Finding | null)[] {
  const has = (entries: object | undefined, name: string) => Object.hasOwn(entries ?? {}, name)
  const { related, match } = definition
  return [
    has(related, 'restore')
      ? {
          rule: 'soft-deletes-taken',
          at: [path, 'related', 'restore'],
          message: `'${path}' deletes softly, and POST to its relation 'restore' would bring a record back`,
          fix: "another name for the relation: restores: hasMany('…')",
        }
      : null,
    has(match, 'trashed')
      ? {
          rule: 'soft-deletes-taken',
          at: [path, 'match', 'trashed'],
          message: `'${path}' deletes softly, and ?trashed asks for what is in the trash`,
          fix: "another name for the field, or leave 'trashed' out of match",
        }
      : null,
  ]
}

const taken = new Set(['id', 'created_at', 'updated_at', 'pivot', 'oid', 'rowid', 'ctid'])
