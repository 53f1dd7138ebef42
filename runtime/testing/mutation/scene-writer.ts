import { type Link, relatedOf, targetOf } from '../../features/relations/entries.js'
import type { Column } from '../../model/columns.js'
import type { Entity } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { type Project, relationOf, tested } from '../authorization/project.js'
import type { Found } from './apart.js'
import type { Asker } from './missing-test-types.js'
import { literal, quote, type Reference, type Step, type Value, type Values } from './scenario.js'

type Made = Readonly<Record<string, Value>>

/** Makes records as the database found them, with the factories of the tests. */
export class SceneWriter {
  readonly steps: Step[]
  readonly words: string[] = []
  readonly #names = new Map<string, number>()

  /** @param before What another has made already. */
  constructor(
    readonly project: Project,
    readonly asker: Asker,
    readonly found: Found,
    before: readonly Step[] = [],
  ) {
    this.steps = [...before]
    for (const step of before) if (step.does === 'make') this.#nameOf(step.entity)
    const { user, without } = asker
    const users = this.#users()
    if (before.length === 0 && user !== null && without !== null && users !== null) {
      const values = { [columnName(users, without)]: literal(null) }
      this.steps.push({ does: 'update', entity: users, id: userIs('id'), values })
    }
  }

  /** The record of this place, which refers to it; null: there is none. */
  record(
    alias: string,
    entity: Entity,
    link: Link | null = null,
    given: Made = {},
  ): Reference | null {
    const values = this.found.values.get(alias) ?? {}
    if (link !== null && values['svc.there'] === 0) return null
    const known = this.#usersOwn(entity, values[entity.id.name])
    const columns = this.columns(alias, entity)
    const pointers = this.pointers(alias, entity)
    const reference = known ?? this.make(entity, { ...columns, ...pointers, ...given })
    if (known !== null) this.#say(alias, entity.id.field, known)
    this.#below(alias, entity, reference)
    return reference
  }

  make(entity: Entity, values: Values = {}): Reference {
    const name = this.#nameOf(entity)
    this.steps.push({ does: 'make', entity, name, values })
    return { of: name, field: entity.id.field }
  }

  /** Returns the columns that a factory or a body writes. */
  columns(alias: string, entity: Entity): Made {
    const values = this.found.values.get(alias) ?? {}
    const made: Record<string, Value> = {}
    for (const [name, value] of Object.entries(values)) {
      const column = [...entity.columns.values()].find((each) => each.name === name)
      if (column === undefined || column === entity.id) continue
      const written = this.#valueOf(entity, column, value)
      this.#say(alias, column.field, written)
      if (written !== null) made[column.field] = written
    }
    return made
  }

  /** Records that its columns point at. */
  pointers(alias: string, entity: Entity): Made {
    const made: Record<string, Value> = {}
    for (const [key, link] of relatedOf(entity)?.links ?? []) {
      if (link.relation.kind !== 'belongsTo' || !this.#isAsked(`${alias}.${key}`)) continue
      const reference = this.record(`${alias}.${key}`, targetOf(link), link)
      made[link.relation.foreignKey] = reference ?? literal(null)
    }
    return made
  }

  /** Records that point at it, and those of pivot tables. */
  #below(alias: string, entity: Entity, reference: Reference): void {
    for (const [key, link] of relatedOf(entity)?.links ?? []) {
      const { relation } = link
      const inside = `${alias}.${key}`
      if (relation.kind === 'belongsTo' || !this.#isAsked(inside)) continue
      if ('pivot' in relation) {
        const related = this.record(inside, targetOf(link), link)
        if (related !== null) this.link(inside, link, reference, related)
        continue
      }
      const type = relation.morphType === null ? {} : { [relation.morphType]: literal(entity.key) }
      const isText = targetOf(link).columns.get(relation.foreignKey)?.storage.isText === true
      const isOther = isText && !entity.id.storage.isText
      const pointer = { [relation.foreignKey]: isOther ? { ...reference, isText } : reference }
      this.record(inside, targetOf(link), link, { ...type, ...pointer })
    }
  }

  link(alias: string, { key, source, pivot }: Link, one: Reference, other: Reference): void {
    const relation = relationOf(this.project, source.key, key)
    if (relation?.table === undefined || relation.relatedColumn === undefined) return
    const { column, relatedColumn, table, type, isText = false, values = {} } = relation
    const found = this.found.values.get(alias) ?? {}
    const fields = [...pivot].flatMap(([field, { name }]) => {
      const value = found[`pivot.${field}`]
      return value === undefined ? [] : [[name, literal(value)] as const]
    })
    for (const [name, value] of fields) this.#say(alias, `pivot's ${name}`, value)
    const given = Object.entries(values).map(([name, value]) => [name, literal(value)] as const)
    this.steps.push({
      does: 'insert',
      table,
      values: {
        ...(type === undefined ? {} : { [type]: literal(source.key) }),
        [column]: isText ? { ...one, isText } : one,
        [relatedColumn]: other,
        ...Object.fromEntries([...given, ...fields]),
      },
    })
  }

  /** Returns true if something is set in it, or in a record it points at. */
  #isAsked(alias: string): boolean {
    return [...this.found.values.keys()].some((each) => `${each}.`.startsWith(`${alias}.`))
  }

  /** Values that a body sets need no comment. */
  #say(alias: string, what: string, value: Value | null): void {
    const [state, ...path] = alias.split('.')
    if (state === 'after' && path.length === 0) return
    const place = path.map((key) => `its ${key}: `).join('')
    this.words.push(`${place}${what} is ${wordsOf(value)}`)
  }

  /** Null: a factory makes what is pointed at. */
  #valueOf(entity: Entity, column: Column, value: unknown): Value | null {
    if (value === null || typeof value === 'boolean') return literal(value)
    const target = entity.relations?.targets.get(column.field)?.()?.definition
    const { user } = this.asker
    if (target === undefined) {
      const isLong = typeof value === 'string' && value.length > 11
      const isUsers = isLong && user !== null && user[column.field] === value
      return isUsers ? userIs(column.field) : literal(value)
    }
    const own = this.#usersOwn(target, value)
    if (own === null) return column.nullable ? this.make(target) : null
    const orElse = target.id.storage.isText ? '' : 0
    return this.#isNullable(own.field) && !column.nullable ? { ...own, orElse } : own
  }

  /** The user, or what a column of theirs points at. */
  #usersOwn(entity: Entity, id: unknown): Reference | null {
    const { user } = this.asker
    const users = this.#users()
    if (user === null || users === null || id === null || id === undefined) return null
    if (entity === users && id === user[users.id.field]) return userIs(users.id.field)
    for (const [field, target] of users.relations?.targets ?? []) {
      if (target?.().definition === entity && user[field] === id) return userIs(field)
    }
    return null
  }

  #isNullable(field: string): boolean {
    return this.#users()?.columns.get(field)?.nullable === true
  }

  #users(): Entity | null {
    const { signsIn } = this.project.decided
    // A repository as tests know it is that of the server.
    return signsIn === null
      ? null
      : (tested(this.project, signsIn).repository.definition as unknown as Entity)
  }

  #nameOf({ name }: Entity): string {
    const plain = name.charAt(0).toLowerCase() + name.slice(1)
    const times = (this.#names.get(plain) ?? (taken.has(plain) ? 1 : 0)) + 1
    this.#names.set(plain, times)
    return times === 1 ? plain : `${plain}${times}`
  }
}

/** Names of the test itself, and words of the language that a repository may be called. */
const taken: ReadonlySet<string> = new Set([
  ...[
    'user',
    'send',
    'response',
    'db',
    'row',
    'roles',
    'test',
    'expect',
    'class',
    'case',
    'package',
  ],
  ...['import', 'export', 'function', 'return', 'interface', 'default', 'new', 'public', 'private'],
])

export const userIs = (field: string): Reference => ({ of: 'user', field })

const columnName = ({ columns }: Entity, field: string): string =>
  getOwn(Object.fromEntries(columns), field)?.name ?? field

function wordsOf(value: Value | null): string {
  if (value === null) return "another's"
  if ('of' in value) return `${value.of}.${value.field}`
  if ('list' in value) return ''
  return typeof value.literal === 'string' ? quote(value.literal) : JSON.stringify(value.literal)
}
