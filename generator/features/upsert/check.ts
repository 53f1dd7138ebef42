import { columnsOf, type EntityDraft, isVisible } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { show, type Shape } from '../../blueprint/fields/shapes.js'
import { isAwaited } from '../../blueprint/lists.js'
import { nearest, type Finding, type Path } from '../../blueprint/problems.js'
import type { Column } from '../../blueprint/types.js'

/** Columns whose values no two records have together. */
export type Key = readonly string[]

const isName = (value: unknown) => typeof value === 'string' && value !== ''

const upsertBy: Shape = {
  says: 'a list of names, or of lists of names',
  example: "['…']",
  holds: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (key: unknown) =>
        isName(key) || (Array.isArray(key) && key.length > 0 && key.every((name) => isName(name))),
    ),
}

/** By which keys a request may change the record that is there, or make it. */
export const upsertCheck: FeatureCheck = {
  repositoryOptions: { upsertBy },
  facts: (_, { drafts, report }) => {
    for (const finding of drafts.flatMap(wrongKeys)) report(finding)
    const asked = drafts.filter(({ definition }) => definition.upsertBy !== undefined)
    if (asked.length === 0) return undefined
    return Object.fromEntries(asked.map((draft) => [draft.key, keysOf(draft)]))
  },
}

/**
 * Each entry is a key. Names alone that are unique only together are one: `['company_id', 'sku']`.
 */
function keysOf(draft: EntityDraft): readonly Key[] {
  const said = draft.definition.upsertBy ?? []
  const names = said.filter((key) => typeof key === 'string')
  const areOne = names.length === said.length && names.length > 1 && isTogether(draft, names)
  return areOne ? [names] : said.map((key) => [key].flat())
}

const isTogether = ({ definition }: EntityDraft, key: Key): boolean =>
  (definition.unique ?? []).some((group) => isSame(group, key))

const isSame = (one: Key, other: Key) =>
  one.length === other.length && one.every((name) => other.includes(name))

function wrongKeys(draft: EntityDraft): readonly Finding[] {
  const keys = keysOf(draft)
  const said = draft.definition.upsertBy ?? []
  return keys.flatMap((key, at) => {
    const place = [draft.path, 'upsertBy', ...(keys.length === said.length ? [at] : [])]
    const wrong = key.flatMap((name) => wrongColumn(draft, name, place))
    if (wrong.length > 0) return wrong
    const whole = twice(keys, at, place) ?? notUnique(draft, key, place)
    return whole === null ? [] : [whole]
  })
}

function wrongColumn(draft: EntityDraft, name: string, at: Path): readonly Finding[] {
  const { path } = draft
  const columns = columnsOf(draft)
  const column = columns.find((each) => each.name === name)
  if (column === undefined) {
    if (isAwaited(name, { of: draft })) return []
    const known = columns.filter(isVisible).map((each) => each.name)
    const meant = nearest(name, known)
    return [
      {
        rule: 'upsert-key',
        at,
        message: `'${name}' in upsertBy is not a column of '${path}'`,
        known,
        fix: meant === undefined ? `leave '${name}' out, or declare the field` : `'${meant}'`,
      },
    ]
  }
  if (!isVisible(column)) {
    return [
      {
        rule: 'upsert-key',
        at,
        message: `'${name}' in upsertBy is hidden in '${path}', and the answer would tell which record has it`,
        fix: `leave '${name}' out of upsertBy, or .hidden() out of its declaration`,
      },
    ]
  }
  if (isSent(draft, column)) return []
  return [
    {
      rule: 'upsert-key',
      at,
      message: `'${name}' in upsertBy is a column of '${path}' that no request writes`,
      fix: `leave '${name}' out of upsertBy${column.role === 'field' ? ', or .readonly() out of its declaration' : ''}`,
    },
  ]
}

/** A body says it, or it is the signed-in user's. */
const isSent = ({ relations }: EntityDraft, { name, readonly }: Column): boolean =>
  !readonly || relations.some((each) => each.foreignKey === name && each.filledBy === 'user')

function twice(keys: readonly Key[], at: number, place: Path): Finding | null {
  const key = keys[at] ?? []
  const isThere = keys.slice(0, at).some((each) => isSame(each, key))
  if (!isThere && new Set(key).size === key.length) return null
  return {
    rule: 'upsert-key',
    at: place,
    message: `${show(key.length === 1 ? key[0] : key)} appears twice in upsertBy`,
    fix: 'leave one out',
  }
}

function notUnique(draft: EntityDraft, key: Key, at: Path): Finding | null {
  const columns = columnsOf(draft)
  const alone = columns.filter(({ name, unique, role }) => {
    return key.includes(name) && (unique || role === 'id')
  })
  const [name = ''] = key
  if (key.length > 1) {
    if (isTogether(draft, key)) return null
    const [one] = alone
    return {
      rule: 'upsert-key',
      at,
      message: `${show(key)} in upsertBy is not declared unique in '${draft.path}', and two records could have one key`,
      fix: one === undefined ? `unique: [${show(key)}]` : `'${one.name}', which is unique alone`,
    }
  }
  if (alone.length > 0) return null
  return {
    rule: 'upsert-key',
    at,
    message: `'${name}' in upsertBy is not unique in '${draft.path}', and two records could have one key`,
    fix: waysOut(draft, name).join('; or '),
  }
}

/** To a column that is not unique alone. */
function waysOut(draft: EntityDraft, name: string): readonly string[] {
  const { unique = [], upsertBy: said = [] } = draft.definition
  const field = draft.fields.find((each) => each.name === name)
  const names = said.filter((key) => typeof key === 'string')
  const group = unique.find((each) => each.includes(name))
  const areTogether = names.length === said.length && names.length > 1
  return [
    ...(field === undefined ? [] : [`${name}: ${field.kind}().unique()`]),
    ...(areTogether ? [`unique: [${show(names)}], where they are so together`] : []),
    ...(group === undefined ? [] : [`${show(group)}, which are unique together`]),
  ]
}

/**
 * Reads a repository's upsert keys from the blueprint; null: no request names a record by a key.
 */
export const upsertFact = factOf<readonly Key[]>('upsert')
