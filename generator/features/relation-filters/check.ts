import { columnsOf, isVisible, type EntityDraft } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { show } from '../../blueprint/fields/shapes.js'
import { isMatchType } from '../../blueprint/lists.js'
import { nearest, type Finding } from '../../blueprint/problems.js'
import { columnOn, wayOf, worldOf, type Way, type World } from '../../blueprint/relations/ways.js'
import type { Column, Json, Match, MorphTo, Pivot, Relation } from '../../blueprint/types.js'
import { kindOf } from '../../kinds/kinds.js'

/** A filter of lists by related records: JSON, as the blueprint has it. */
export interface RelationFilter {
  /** `seller.name`, `users.pivot.is_admin`, `reviews`. */
  readonly name: string
  readonly type: Match['type'] | 'exists'
  /** URI keys: where it begins, and where each relation leads. */
  readonly places: readonly string[]
  readonly relations: readonly Relation[]
  readonly asks: Asks
}

/** The condition on the record behind the last relation. */
export type Asks =
  | { readonly kind: 'exists' }
  /** `owner`: the URI key of its repository, or the pivot table. */
  | { readonly kind: 'column'; readonly column: Column; readonly owner: string }
  /** A record of one of several repositories: whether there is one, its type, or its id. */
  | { readonly kind: 'exists' | 'type' | 'id'; readonly morph: MorphTo }

/** Filters of lists by related records. */
export const relationFiltersCheck: FeatureCheck = {
  matchKeys: keysOf,
  facts: (_, context, pivots) => {
    const { drafts, report } = context
    const all = drafts.flatMap((draft) => {
      const filters = keysOf(draft).flatMap((name) => {
        const asked = askedBy(draft, name, { drafts, pivots })
        const finding = wrongIn(asked)
        if (finding !== null) report(finding)
        return finding === null ? (filterOf(asked) ?? []) : []
      })
      return filters.length === 0 ? [] : [[draft.key, filters] as const]
    })
    // Nothing else is in them.
    return all.length === 0 ? undefined : (Object.fromEntries(all) as unknown as Json)
  },
}

export const relationFiltersFact = factOf<readonly RelationFilter[]>('relationFilters')

function filterOf({ name, type, way, world }: Asked): RelationFilter | null {
  const asks = asksOf(way, world)
  if (asks === null || (type !== 'exists' && !isMatchType(type))) return null
  const { relations } = way
  return { name, type, places: way.places.map(({ key }) => key), relations, asks }
}

function asksOf(way: Way, world: World): Asks | null {
  const { morph, rest, relations, places } = way
  const [member] = rest
  if (morph !== null) {
    return { kind: member === 'type' || member === 'id' ? member : 'exists', morph }
  }
  if (member === undefined) return { kind: 'exists' }
  const on = columnOn(world, way)
  if (on === null) return null
  const table = on.isPivot ? relations.at(-1)?.pivot?.table : undefined
  return { kind: 'column', column: on.column, owner: table ?? places.at(-1)?.key ?? '' }
}

/** Lists the keys of `match` that are no columns. */
function keysOf(draft: EntityDraft): readonly string[] {
  const { definition, relations, morphTo } = draft
  const related = new Set([...relations, ...morphTo].map(({ key }) => key))
  const columns = new Set(columnsOf(draft).map(({ name }) => name))
  return Object.entries(definition.match ?? {})
    .filter(([name, type]) => name.includes('.') || type === 'exists' || related.has(name))
    .filter(([name, type]) => !columns.has(name) || type === 'exists')
    .map(([name]) => name)
}

const mostRelations = 3

/** Match types of a record of one of several repositories. */
const morphTypes: readonly Match['type'][] = ['text', 'array']

function askedBy(
  draft: EntityDraft,
  name: string,
  {
    drafts,
    pivots,
  }: { readonly drafts: readonly EntityDraft[]; readonly pivots: readonly Pivot[] },
): Asked {
  const world = worldOf(drafts, pivots)
  const type = String(draft.definition.match?.[name])
  return { draft, drafts, world, name, type, way: wayOf(world, draft, name) }
}

function wrongIn(asked: Asked): Finding | null {
  const { name, way } = asked
  const length = way.relations.length + (way.morph === null ? 0 : 1)
  if (length > mostRelations) {
    return found(asked, {
      rule: 'relation-filter',
      message: `'${name}' in match goes through ${length} relations, and ${mostRelations} are the most`,
      fix: `leave '${name}' out, or keep what it asks in a column of a nearer record`,
    })
  }
  return way.morph === null ? wrongColumn(asked) : wrongMorph(asked, way.morph)
}

interface Asked {
  readonly draft: EntityDraft
  readonly drafts: readonly EntityDraft[]
  readonly world: World
  readonly name: string
  readonly type: string
  readonly way: Way
}

const found = ({ draft, name }: Asked, said: Omit<Finding, 'at'>): Finding => ({
  at: [draft.path, 'match', name],
  ...said,
})

/** Returns the known part of the name. */
const before = ({ way: { relations } }: Asked): string =>
  relations.map(({ key }) => `${key}.`).join('')

function wrongMorph(asked: Asked, morph: MorphTo): Finding | null {
  const { name, type, way } = asked
  const [member, ...more] = way.rest
  if (member === undefined && type === 'exists') return null
  const path = `${before(asked)}${morph.key}`
  if (member === undefined || more.length > 0 || !['type', 'id'].includes(member)) {
    return found(asked, {
      rule: 'relation-filter',
      message: `'${name}' in match asks a record of ${morph.targets.join(' or ')}, which have a type and an id in common`,
      known: [`${path}: 'exists'`, `${path}.id`, `${path}.type`],
      fix: `'${path}.id': 'array'`,
    })
  }
  return wrongType(asked, morphTypes, `'${member}' of '${path}'`)
}

function wrongColumn(asked: Asked): Finding | null {
  const { draft, drafts, world, name, type, way } = asked
  const here = way.places.at(-1)
  const [first, ...more] = way.rest
  if (first === undefined) return wrongRelation(asked)
  const last = drafts.find(({ key }) => key === here?.key) ?? draft
  // A relation that something is wrong with has been reported.
  if (last.definition.related !== undefined && isRelated(last, first)) return null
  const column = columnOn(world, way)
  if (column === null) {
    return more.length > 0 || first === 'pivot' || way.relations.length === 0
      ? unknownRelation(asked, last, first)
      : unknownColumn(asked, last, first)
  }
  const of = column.isPivot ? `the pivot table of '${way.relations.at(-1)?.key}'` : `'${last.path}'`
  const said = column.column.name
  if (!isVisible(column.column)) {
    return found(asked, {
      rule: 'hidden-column',
      message: `'${name}' in match: '${said}' is hidden in ${of}, and a hidden field cannot be searched, sorted or matched`,
      known: visibleIn(asked, column.isPivot),
      fix: `leave '${name}' out`,
    })
  }
  if (type === 'exists') {
    const [best] = kindOf(column.column.kind).match
    return found(asked, {
      rule: 'relation-filter',
      message: `'${name}' in match asks whether '${said}' of ${of} exists, and that is a column`,
      known: kindOf(column.column.kind).match,
      fix: best === undefined ? `leave '${name}' out` : `'${name}': '${best}'`,
    })
  }
  return wrongType(asked, kindOf(column.column.kind).match, `'${said}' of ${of}`, column.column)
}

/** Declared, and no relation that can be gone through. */
const isRelated = ({ definition, relations }: EntityDraft, key: string): boolean => {
  const entry: unknown = definition.related?.[key]
  const kind = typeof entry === 'object' && entry !== null && 'type' in entry ? entry.type : null
  return kind === 'relation' && !relations.some((each) => each.key === key)
}

/** A column of the repository itself, or a relation: `exists` asks for that alone. */
function wrongRelation(asked: Asked): Finding | null {
  const { name, type, way } = asked
  if (type === 'exists') return null
  const [column] = (way.places.at(-1)?.columns ?? []).filter(isVisible)
  return found(asked, {
    rule: 'relation-filter',
    message: `'${name}' in match is a relation, and ${show(type)} compares a column`,
    known: [`${name}: 'exists'`, `'${name}.${column?.name ?? 'id'}': …`],
    fix: `${name.includes('.') ? show(name) : name}: 'exists'`,
  })
}

function unknownRelation(asked: Asked, last: EntityDraft, segment: string): Finding {
  const { name, type, way } = asked
  const own = columnsOf(last).find((each) => each.name === segment)
  if (own !== undefined && type === 'exists' && !name.includes('.')) {
    const [best] = kindOf(own.kind).match
    return found(asked, {
      rule: 'relation-filter',
      message: `'${name}' in match is a column, and 'exists' asks for related records`,
      known: kindOf(own.kind).match,
      fix: best === undefined ? `leave '${name}' out` : `${name}: '${best}'`,
    })
  }
  const known = [...last.relations, ...last.morphTo].map(({ key }) => key)
  const relation = way.relations.at(-1)
  const isPivot = segment === 'pivot' && relation !== undefined
  const fields = relation?.pivot ? asked.world.pivot(relation.pivot.table)?.fields : undefined
  if (isPivot && fields !== undefined && way.rest.length <= 2) {
    return notFound(
      asked,
      way.rest[1] ?? segment,
      `a field of the pivot table of '${relation.key}'`,
      {
        known: fields.filter(isVisible).map((each) => each.name),
        path: `${before(asked)}pivot.`,
      },
    )
  }
  const what = own === undefined ? `no relation of '${last.path}'` : `a column of '${last.path}'`
  const meant = nearest(segment, known)
  const rest = way.rest.slice(1).map((each) => `.${each}`)
  return found(asked, {
    rule: 'relation-filter',
    message: isPivot
      ? `'${name}' in match: '${relation.key}' has no pivot table`
      : `'${name}' in match: '${segment}' is ${what}${own === undefined ? '' : ', and no relation'}`,
    known: known.toSorted(),
    fix:
      isPivot || meant === undefined
        ? `leave '${name}' out`
        : `'${before(asked)}${meant}${rest.join('')}'`,
  })
}

const unknownColumn = (asked: Asked, last: EntityDraft, segment: string): Finding =>
  notFound(asked, segment, `a column of '${last.path}'`, {
    known: visibleIn(asked, false),
    path: before(asked),
  })

function notFound(
  asked: Asked,
  segment: string,
  what: string,
  { known, path }: { readonly known: readonly string[]; readonly path: string },
): Finding {
  const meant = nearest(segment, known)
  return found(asked, {
    rule: 'unknown-column',
    message: `'${asked.name}' in match: '${segment}' is not ${what}`,
    known,
    fix: meant === undefined ? `leave '${asked.name}' out` : `'${path}${meant}'`,
  })
}

function visibleIn({ way, world }: Asked, isPivot: boolean): readonly string[] {
  const pivot = way.relations.at(-1)?.pivot
  const fields = isPivot && pivot ? world.pivot(pivot.table)?.fields : way.places.at(-1)?.columns
  return (fields ?? []).filter(isVisible).map(({ name }) => name)
}

function wrongType(
  asked: Asked,
  types: readonly Match['type'][],
  what: string,
  column?: Column,
): Finding | null {
  const { name, type } = asked
  if (types.some((each) => each === type)) return null
  const [best] = types
  const is = column === undefined ? 'is one of several words' : `is ${column.kind}()`
  return found(asked, {
    rule: 'match-type',
    message: isMatchType(type)
      ? `'${name}' in match is compared as ${show(type)}, and ${what} ${is}`
      : `'${name}' in match: ${what} ${is}, and there is no match type ${show(type)}`,
    known: types,
    fix: best === undefined ? `leave '${name}' out` : `'${name}': '${best}'`,
  })
}
