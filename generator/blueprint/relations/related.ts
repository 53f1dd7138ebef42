import type { Context, EntityDraft } from '../entity-draft.js'
import { inRelated } from '../entity-draft.js'
import { readComputed } from '../fields/computed.js'
import {
  aRecord,
  aSentence,
  aText,
  checkOptions,
  inheritsEntry,
  isRecord,
  madeBy,
  names,
  oneOf,
  show,
  type Shapes,
} from '../fields/shapes.js'
import { guessKeys, isIdentifier, isPivotTable, snakeCase, studly } from '../names/names.js'
import { nearest } from '../problems.js'
import type { RelationKind } from '../types.js'
import { checkField } from './foreign-keys.js'
import type { Link, LinkOptions } from './link.js'
import { isMorphTo } from './morph-to.js'
import { checkColumnNames } from './relations.js'

const common: Shapes = { relation: aText, description: aSentence }
const has: Shapes = { ...common, inverse: aText, foreignKey: aText }
const morph: Shapes = { ...common, name: aText }
const onDelete = oneOf('restrict', 'cascade', 'setNull')
const ownMorph: Shapes = { ...morph, onDelete }

const OPTIONS: Readonly<Record<RelationKind, Shapes>> = {
  belongsTo: {
    ...common,
    foreignKey: aText,
    column: aText,
    filledBy: oneOf('user'),
    searchable: names,
    sortable: names,
    onDelete,
    renamedFrom: aText,
  },
  hasOne: { ...has, sortable: names },
  hasMany: has,
  morphOne: { ...ownMorph, sortable: names },
  morphMany: ownMorph,
  belongsToMany: {
    ...common,
    table: aText,
    foreignKey: aText,
    relatedKey: aText,
    pivot: aRecord,
  },
  morphToMany: { ...morph, table: aText, relatedKey: aText, pivot: aRecord },
}

const optionsOf = (kind: RelationKind, { hasOptions }: Context): Shapes =>
  kind === 'belongsTo' ? OPTIONS[kind] : { ...OPTIONS[kind], ...hasOptions }

const isRelationKind = (kind: unknown): kind is RelationKind =>
  typeof kind === 'string' && Object.hasOwn(OPTIONS, kind)

/** Sorts a repository's entries: computed and member entries to the draft, relations to the answer. */
export function readEntries(draft: EntityDraft, context: Context): readonly Link[] {
  const links: Link[] = []
  const related = draft.definition.related ?? {}
  if (inheritsEntry(related)) checkKey(draft, '__proto__', context)
  for (const [key, entry] of Object.entries<unknown>(related)) {
    if (!checkKey(draft, key, context)) continue
    const link = readEntry(draft, key, entry, context)
    if (link !== null) links.push(link)
  }
  checkMethods(draft, links, context)
  return links
}

function checkKey(draft: EntityDraft, key: string, { report }: Context): boolean {
  const isKept = key === 'pivot' || key === 'id'
  if (isIdentifier(key) && !isKept) return true
  const better = snakeCase(key.replace(/[^A-Za-z0-9]+/g, '_'))
  report({
    rule: 'related-key',
    at: inRelated(draft, key),
    message: isKept
      ? `related '${key}' has a name that the server keeps for itself`
      : `related '${key}' cannot be requested: a key is a letter, then letters, digits and '_', 63 at most`,
    fix: isIdentifier(better) && !isKept ? `${better}: …` : 'give it another key',
  })
  return false
}

function readEntry(draft: EntityDraft, key: string, entry: unknown, context: Context): Link | null {
  if (isRecord(entry) && entry['type'] === 'computed') {
    readComputed(draft, key, entry, context)
    return null
  }
  // The target of a member is known when all columns are.
  if (isRecord(entry) && entry['type'] === 'member') return null
  const definition = isRecord(entry) && entry['type'] === 'relation' ? entry['definition'] : null
  // The repositories of a morph are known when all relations are.
  if (isMorphTo(entry)) return null
  if (isRecord(definition) && isRelationKind(definition['kind'])) {
    return readRelation(draft, key, definition['kind'], definition, context)
  }
  context.report({
    rule: 'not-an-entry',
    at: inRelated(draft, key),
    message: `related '${key}' is ${show(entry)}, which is neither a relation nor computed() nor member()`,
    fix: entryFix(key, entry),
  })
  return null
}

/** A function of the vocabulary that was not called, a bare string, a field in the wrong place. */
function entryFix(key: string, entry: unknown): string {
  if (typeof entry === 'function' && isRelationKind(entry.name)) return `${key}: ${entry.name}()`
  if (typeof entry === 'string') return `${key}: member()`
  return madeBy(entry) === null ? `${key}: computed()` : `move '${key}' to 'fields'`
}

function readRelation(
  from: EntityDraft,
  key: string,
  kind: RelationKind,
  definition: Readonly<Record<string, unknown>>,
  context: Context,
): Link | null {
  const { target, nullable, readonly, options } = definition
  const place = placeOf(from, key, context)
  // `checkOptions` leaves what has the shapes of the kind.
  const checked = checkOptions(
    isRecord(options) ? options : {},
    optionsOf(kind, context),
    place,
  ) as LinkOptions
  const name = checked.relation ?? key
  const names = [name, checked.foreignKey, checked.relatedKey, checked.name]
  const bad =
    names.find((each) => each !== undefined && !isIdentifier(each)) ??
    [checked.table].find((each) => each !== undefined && !isPivotTable(each))
  if (bad !== undefined) return reportName(from, key, bad, context)
  const named = typeof target === 'string' ? target : null
  const to =
    named === null ? guess(from, key, kind, context) : find(from, key, named, kind, context)
  if (to === null) {
    // Problems that do not depend on the target are reported in the same run.
    const known = { from, key, name, options: checked }
    if (kind === 'belongsTo') checkField(known, context)
    checkColumnNames(known, context)
    return null
  }
  return {
    ...{ from, to, key, name, kind, options: checked },
    nullable: nullable === true,
    isReadonly: readonly === true,
  }
}

const placeOf = (draft: EntityDraft, key: string, { report }: Context) => ({
  at: inRelated(draft, key),
  of: `related '${key}'`,
  report,
})

function reportName(draft: EntityDraft, key: string, name: string, { report }: Context): null {
  const better = snakeCase(name.replace(/[^A-Za-z0-9]+/g, '_'))
  report({
    rule: 'related-name',
    at: inRelated(draft, key),
    message: `related '${key}' uses the name '${name}', which cannot be a column, table or relation: a name is a letter, then letters, digits and '_', 63 at most`,
    fix: isIdentifier(better) ? `'${better}'` : 'give it another name',
  })
  return null
}

function find(
  from: EntityDraft,
  key: string,
  target: string,
  kind: RelationKind,
  context: Context,
): EntityDraft | null {
  const { drafts, named, report, unlisted } = context
  const found = named.get(target)
  if (found !== undefined) return found
  const byUri = drafts.find((draft) => draft.key === target)
  const known = keysOf(drafts)
  const plural = guessKeys(target).find((each) => known.includes(each))
  const meant =
    byUri?.path ?? plural ?? (unlisted(target) === undefined ? nearest(target, known) : undefined)
  report({
    rule: 'unknown-target',
    at: inRelated(from, key),
    message:
      byUri === undefined
        ? `related '${key}' points at '${target}', and there is no such repository`
        : `related '${key}' points at '${target}', which is a URI key: relations name repositories as defineManifest does`,
    known,
    fix: meant === undefined ? listing(target, context) : `${key}: ${kind}('${meant}')`,
  })
  return null
}

/**
 * Says how to add a repository to the manifest: it exists and is not listed, or it does not exist.
 */
function listing(name: string, { unlisted }: Context): string {
  const file = unlisted(name)
  return file === undefined
    ? `add one to defineManifest: repositories: { …, ${name}: repository({ fields: { … } }) }`
    : `list '${name}' of ${file} in defineManifest: repositories: { …, ${name} }`
}

function guess(
  from: EntityDraft,
  key: string,
  kind: RelationKind,
  context: Context,
): EntityDraft | null {
  const { drafts, report, unlisted } = context
  const guesses = guessKeys(key)
  const found = guesses.flatMap(
    (each) => drafts.find(({ path, key: uri }) => path === each || uri === each) ?? [],
  )
  if (found[0] !== undefined) return found[0]
  const known = keysOf(drafts)
  const there = guesses.find((each) => unlisted(each) !== undefined)
  const meant = nearest(key, known) ?? '…'
  report({
    rule: 'unguessed-target',
    at: inRelated(from, key),
    message: `related '${key}' does not say its repository, and there is no repository called ${alternatives(guesses)}`,
    known,
    fix: there === undefined ? `${key}: ${kind}('${meant}')` : listing(there, context),
  })
  return null
}

function alternatives(guesses: readonly string[]): string {
  const quoted = guesses.slice(0, 2).map((each) => `'${each}'`)
  return quoted.join(' or ')
}

const keysOf = (drafts: readonly EntityDraft[]) => drafts.map(({ path }) => path).toSorted()

/** `admin_users` and `adminUsers` would ask the same policy method, `attachAdminUsers`. */
function checkMethods(draft: EntityDraft, links: readonly Link[], { report }: Context): void {
  const seen = new Map<string, string>()
  for (const { key, kind } of links) {
    if (kind !== 'belongsToMany' && kind !== 'morphToMany') continue
    const twin = seen.get(studly(key))
    seen.set(studly(key), key)
    if (twin === undefined) continue
    report({
      rule: 'policy-method-twice',
      at: inRelated(draft, key),
      message: `related '${twin}' and '${key}' would both ask the policy method 'attach${studly(key)}'`,
      fix: 'rename one of them',
    })
  }
}
