import { columnNamed } from '../../model/entity-columns.js'
import type { Entity, Scope } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import type { AnyModel, TestedRelation } from '../../model/model-types.js'
import type { Test } from '../../model/sql-test.js'
import { isComposite, isTests, mistake, testsOf } from '../../policy/condition-sql.js'
import type { Condition } from '../../policy/condition-types.js'
import { all, any, not } from '../../policy/predicate.js'
import { identifier, literal, type Sql, sql } from '../../sql/sql.js'
import {
  type BelongsTo,
  type Link,
  type MorphEntry,
  type MorphTo,
  type Target,
  targetOf,
} from '../relations/entries.js'
import { relationTest } from '../relations/relation-condition.js'
import { belongsTo } from '../relations/relations.js'

/** A relation with one record of any of these models, by URI key; as types only. */
export interface OneOf<Models> extends TestedRelation {
  readonly models: Models
  readonly tests: OneOfTests<Models, this['nothing']>
}

interface OneOfTests<Models, Nothing> {
  readonly is?: RecordTest<Models, Nothing> | true | undefined
  readonly isNot?: RecordTest<Models, Nothing> | true | undefined
}

/** Any of them: a record of that repository for which the condition holds; true: any of it. */
type RecordTest<Models, Nothing> = {
  readonly [Key in keyof Models]: Pick<Conditions<Models, Nothing>, Key> &
    Partial<Conditions<Models, Nothing>>
}[keyof Models]

type Conditions<Models, Nothing> = {
  readonly [Key in keyof Models]: Models[Key] extends AnyModel
    ? true | Condition<Models[Key], Nothing> | Condition<Models[Key]> | undefined
    : never
}

interface Options {
  /** Columns of this table: the id of the record, and the URI key of its repository. */
  readonly foreignKey: string
  readonly morphType: string
  /** By URI key. */
  readonly targets: Readonly<Record<string, Target>>
}

/**
 * At most one record, of one of several repositories: for each of them a relation like belongsTo,
 * and a record goes through the one that its type column names.
 * @example subject: morphTo({ foreignKey: 'subject_id', morphType: 'subject_type', targets: {
 * posts: () => PostRepository } })
 */
export function morphTo(options: Options): MorphTo {
  return { kind: 'morphTo', entryOf: (source, key) => entryOf(source, key, options) }
}

function entryOf(source: Entity, key: string, options: Options): MorphEntry {
  const { foreignKey, morphType, targets } = options
  const links = new Map(
    Object.entries(targets).map(([name, target]) => {
      const on = (sourceAlias: string, targetAlias: string) =>
        pointsAt(source, options, name, sourceAlias, targetAlias)
      return [name, linkTo(source, key, target, foreignKey, on)] as const
    }),
  )
  return {
    key,
    relation: { kind: 'morphTo', foreignKey, morphType },
    links,
    test: (scope, tests) => morphTest(scope, key, links, tests),
    linkOf: (row) => {
      const link = links.get(String(row[morphType]))
      const found = link === undefined ? null : pointer(link, row[foreignKey])
      return link === undefined || found === null
        ? null
        : { link, row: { ...row, [foreignKey]: found } }
    },
    split: (level) => {
      const [keyAt, typeAt] = [foreignKey, morphType].map((name) => level.positions.get(name) ?? 0)
      return [...links].flatMap(([name, link]) => {
        const part = partOf(level, typeAt ?? 0, name, (row) =>
          row.with(keyAt ?? 0, pointer(link, row[keyAt ?? 0])),
        )
        return part.rows.length === 0 ? [] : [[name, link, part] as const]
      })
    },
  }
}

const linkTo = (
  source: Entity,
  key: string,
  target: Target,
  foreignKey: string,
  on: BelongsTo['on'] & {},
): Link => ({
  key,
  source,
  relation: { ...belongsTo(target, { foreignKey }), on },
  toOne: true,
  pivot: new Map(),
  shownPivot: [],
})

/** The id in a column as its repository has it: a column for both kinds of ids holds text. */
const pointer = (link: Link, value: unknown): unknown =>
  value === null || value === undefined ? null : readId(targetOf(link).id, String(value))

/** SQLite compares a number with its text; PostgreSQL does not. */
function pointsAt(
  source: Entity,
  { foreignKey, morphType, targets }: Options,
  name: string,
  sourceAlias: string,
  targetAlias: string,
): Sql {
  const target = targets[name]?.().definition.id
  const isOther = columnNamed(source, foreignKey).storage !== target?.storage
  const isCast = source.dialect === 'postgresql' && isOther
  const id = identifier(targetAlias, 'id')
  const key = isCast ? sql`cast(${id} as text)` : id
  return sql`${key} = ${identifier(sourceAlias, foreignKey)} and ${identifier(sourceAlias, morphType)} = ${literal(name)}`
}

/** The records of a level whose type is this, with their keys as `change` makes them. */
function partOf<Level extends Parameters<MorphEntry['split']>[0]>(
  level: Level,
  typeAt: number,
  type: string,
  change: (row: readonly unknown[]) => readonly unknown[],
): Level {
  const places = level.rows.flatMap((row, at) => (row[typeAt] === type ? [at] : []))
  const pick = <Item>(list: readonly Item[]) => places.flatMap((at) => list[at] ?? [])
  return {
    ...level,
    rows: places.map((at) => change(level.rows[at] ?? [])),
    resources: pick(level.resources),
    times: level.times === null ? null : pick(level.times),
  }
}

/** `{ subject: { is: { posts: … } } }`, as EXISTS about each repository it names. */
function morphTest(
  scope: Scope,
  key: string,
  links: ReadonlyMap<string, Link>,
  tests: unknown,
): Test {
  if (tests === undefined) return null
  const write = (name = 'is') => `{ ${key}: { ${name}: true } } for any record`
  const entries = testsOf(scope, key, tests, write)
  return all(
    scope,
    entries.map(([name, inner]) => {
      const word = words.get(name)
      if (word === undefined) throw mistake(scope, `tests '${key}' with '${name}'`)
      if (inner === undefined || inner === null) return null
      const found = any(scope, recordTests(scope, key, links, { name, word, inner }))
      return name === word ? found : not(found)
    }),
  )
}

/** Words of a test about a record, and of the test on each relation. */
const words: ReadonlyMap<string, string> = new Map([
  ['is', 'is'],
  ['isNot', 'is'],
  ['finds', 'finds'],
  ['lacks', 'finds'],
])

function recordTests(
  scope: Scope,
  key: string,
  links: ReadonlyMap<string, Link>,
  { name, word, inner }: { readonly name: string; readonly word: string; readonly inner: unknown },
): readonly Test[] {
  if (inner === true) {
    return [...links.values()].map((link) => relationTest(scope, link, { [word]: true }))
  }
  const known = [...links.keys()].join(', ')
  if (!isTests(inner) || isComposite(inner)) {
    throw mistake(scope, `does not say what kind of record '${key}' ${name}: there are ${known}`)
  }
  const write = () => `{ ${key}: { ${name}: { ${[...links.keys()][0] ?? ''}: true } } }`
  return testsOf(scope, `${key} ${name}`, inner, write).map(([type, condition]) => {
    const link = links.get(type)
    if (link === undefined || condition === null) {
      throw mistake(scope, `tests '${key}' for '${type}', and there are ${known}`)
    }
    return relationTest(scope, link, { [word]: condition })
  })
}
