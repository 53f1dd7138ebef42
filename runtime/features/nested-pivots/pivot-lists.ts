import type { Connection } from '../../database/types.js'
import { UnavailableError } from '../../database/unavailable.js'
import { forbidden, HttpError, invalid, unauthenticated } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { sentence } from '../../input/messages.js'
import { strictBodies } from '../../input/strict-bodies.js'
import type { Input } from '../../input/validation.js'
import type { Access, PlaceOf, Row, ValuedRecord, Within, Write } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import { readRows } from '../../operations/read.js'
import { keysTaken, recordWithSteps } from '../../operations/write/steps.js'
import { visibleRows, visibleWithId } from '../../policy/access.js'
import { answersTest, answerTest } from '../../policy/condition-sql.js'
import { listedTwice } from '../bulk/records.js'
import { tooManyRecords, unseenAbove } from '../nested-create/refusals.js'
import { agreeTo, authorize, writtenPivots } from '../pivots/authorize.js'
import { hold, isSame, lockAndAsk } from '../pivots/hold.js'
import {
  look,
  type PivotChange,
  type PivotGroup,
  rowsOf,
  type Seen,
} from '../pivots/pivot-change.js'
import { askGate } from '../pivots/pivot-policy.js'
import { keptChanging } from '../pivots/pivots.js'
import { throwRefused, writePivots } from '../pivots/write-pivots.js'
import { accessBehind } from '../relations/entries.js'
import type { PivotLink } from '../relations/relation-sql.js'
import { type Key, maySeeKey } from '../upsert/keys.js'
import { visibleIds } from '../upsert/visible-ids.js'
import { NewRecords } from './new-records.js'
import { type Item, noSuchRecord, type Problem, readItems } from './read-items.js'

interface Asked {
  readonly writes: readonly Write[]
  readonly placeOf: PlaceOf
  /** Records that one request makes. */
  readonly most: number
}

type Id = number | string

/** Related records that one request names, for each record that it may make. */
const namedPerRecord = 20

/** Records that the bodies of a request name. */
interface ReadLists {
  readonly byRecord: readonly (readonly Item[])[]
  readonly problems: readonly Problem[]
}

/** The result of looking up the items of a request. */
interface Found {
  /** By record, and by the name in its body. */
  readonly problems: ReadonlyMap<number, ReadonlyMap<string, string[]>>
  /** The related record of each item; null: a new one. */
  readonly ids: ReadonlyMap<Item, Id | null>
  /** Rows of those that are there, by their ids. */
  readonly rows: ReadonlyMap<unknown, Row>
  /** Items that are new, each key once. */
  readonly made: readonly Item[]
}

/**
 * What the records of one request name of one many-to-many relation. Which records these are is
 * looked up once for all of them. A new record attaches them; one that is there is synced, so that
 * its relation holds those and no other that the user sees.
 */
export class PivotLists {
  readonly #behind: Access
  #read: Promise<ReadLists> | null = null
  #found: Promise<Found> | null = null
  #new: NewRecords | null = null
  /** Whose part of the transaction begins first: the list of an upsert begins twice in one. */
  #first: number | null = null
  #isCommitted = false

  constructor(
    readonly access: Access,
    readonly link: PivotLink,
    readonly asked: Asked,
  ) {
    this.#behind = accessBehind(access, link)
  }

  /** Forgets what was found: others wrote meanwhile. */
  reset(): void {
    this.#found = null
    this.#new = null
    this.#first = null
    this.#isCommitted = false
  }

  /** Returns true if the body of a record has the relation. */
  isNamedBy(record: number): boolean {
    return Object.hasOwn(this.#bodyOf(record), this.link.key)
  }

  /** Returns true if it names records, if nothing is wrong with it. */
  hasItems(record: number): boolean {
    const list = this.#bodyOf(record)[this.link.key]
    return Array.isArray(list) && list.length > 0
  }

  #bodyOf(record: number): Input {
    return this.asked.writes[record]?.body ?? {}
  }

  async #readAll(): Promise<ReadLists> {
    this.#requireCount()
    const byRecord: (readonly Item[])[] = []
    const problems: Problem[] = []
    for (const [record, { body }] of this.asked.writes.entries()) {
      if (isTurnLong()) await nextTurn()
      const read = readItems(this.#behind, this.link, record, body)
      byRecord.push(read.items)
      problems.push(...read.problems)
    }
    return { byRecord, problems }
  }

  /** Before any is read: each is a row to write. */
  #requireCount(): void {
    const lists = this.asked.writes.map(({ body }) => body[this.link.key])
    const count = lists.reduce<number>(
      (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
      0,
    )
    const most = namedPerRecord * this.asked.most
    if (count <= most) return
    const { key } = this.link
    throw new HttpError(413, `One request names at most ${most} ${key}; these are ${count}.`)
  }

  /** Returns the errors in the body of a record. */
  async check(record: number): Promise<ReadonlyMap<string, string[]>> {
    this.#found ??= this.#find()
    return (await this.#found).problems.get(record) ?? none
  }

  /**
   * Returns true if nothing is written yet, and some record with the key of a new one is there by
   * now.
   */
  async isMadeMeanwhile(): Promise<boolean> {
    if (this.#isCommitted) return false
    const { made } = (await this.#found) ?? { made: [] }
    return (await this.#idsByKey(made)).size > 0
  }

  async #find(): Promise<Found> {
    this.#read ??= this.#readAll()
    const read = await this.#read
    const items = read.byRecord.flat()
    const byKey = await this.#idsByKey(items)
    const ids = new Map(
      items.map((item) => {
        const { named } = item
        return [item, 'id' in named ? named.id : (byKey.get(named.text) ?? null)] as const
      }),
    )
    const rows = await this.#rowsOf(new Set(ids.values()))
    const made = new Map<string, Item>()
    const problems = [...read.problems]
    const seen = new Set<string>()
    for (const [item, id] of ids) {
      if (isTurnLong()) await nextTurn()
      const { record, place, named } = item
      const at = 'id' in named ? 'id' : (named.key[0] ?? 'id')
      if (id !== null && !rows.has(id)) problems.push([record, `${place}.id`, noSuchRecord()])
      const text = 'key' in named && id === null ? `new ${named.text}` : `id ${String(id)}`
      if (id !== null && 'body' in named) {
        const asked: Write = { operation: 'store', idText: null, body: named.body }
        const related = recordWithSteps(this.#behind, { id: null, write: asked })
        for (const [name, texts] of strictBodies.ofWrite(related, keysTaken)) {
          problems.push(...texts.map((each): Problem => [record, `${place}.${name}`, each]))
        }
      }
      const isTwice = seen.has(`${record} ${text}`)
      if (isTwice) problems.push([record, `${place}.${at}`, sentence(at, listedTwice())])
      seen.add(`${record} ${text}`)
      if (id === null && 'key' in named && !made.has(named.text)) made.set(named.text, item)
    }
    const all = [...made.values()]
    problems.push(...(await this.#checkNew(all)))
    return { problems: byRecord(problems), ids, rows, made: all }
  }

  /** By the texts of keys, the records that have them and that the user sees: one statement for each key. */
  async #idsByKey(items: readonly Item[]): Promise<ReadonlyMap<string, Id>> {
    const byKey = new Map<Key, { text: string; values: Row }[]>()
    for (const { named } of items) {
      if ('id' in named) continue
      const known = byKey.get(named.key) ?? []
      byKey.set(named.key, known)
      known.push(named)
    }
    const found = new Map<string, Id>()
    for (const [key, all] of byKey) {
      if (!maySeeKey(this.#behind, key)) continue
      const texts = await visibleIds(
        this.#behind,
        key,
        all.map(({ values }) => values),
      )
      for (const [at, { text }] of all.entries()) {
        const id = readId(this.#behind.entity.id, texts[at] ?? '')
        if (id !== null) found.set(text, id)
      }
    }
    return found
  }

  async #rowsOf(ids: ReadonlySet<Id | null>): Promise<ReadonlyMap<unknown, Row>> {
    const there = [...ids].filter((id) => id !== null)
    if (there.length === 0) return new Map()
    const filter = await visibleWithId(this.#behind, { in: there })
    const rows = await readRows(this.#behind.entity, filter)
    return new Map(rows.map((row) => [row['id'], row]))
  }

  async #checkNew(made: readonly Item[]): Promise<readonly Problem[]> {
    if (made.length === 0) return []
    const { writes, most } = this.asked
    const count = made.length + writes.filter(({ operation }) => operation === 'store').length
    if (count > most) {
      throw tooManyRecords(most, `${count}, with those that they name`)
    }
    const bodies = made.map(({ named }) => ('body' in named ? named.body : {}))
    const nameIn = ({ place }: Item, field = '') => (field === '' ? place : `${place}.${field}`)
    const inRequest: PlaceOf = (at, field) => {
      const item = made[at]
      return item === undefined ? '' : this.asked.placeOf(item.record, nameIn(item, field))
    }
    this.#new = new NewRecords(this.#behind, bodies, inRequest)
    return (await this.#new.check()).flatMap(([at, field, texts]) => {
      const item = made[at]
      if (item === undefined) return []
      return texts.map((text): Problem => [item.record, nameIn(item, field), text])
    })
  }

  /** Asks the policies, and answers what belongs in the transaction of a record; null: nothing. */
  async within({ at: record, id, values, write }: ValuedRecord): Promise<Within | null> {
    const isNew = write.operation === 'store'
    const items = (await this.#read)?.byRecord[record] ?? []
    if (id === null || this.#found === null || (isNew && items.length === 0)) return null
    const found = await this.#found
    const made = await this.#rowsOfNew(found)
    const idOf = (item: Item) => found.ids.get(item) ?? made.get(textOf(item))?.['id']
    const groups = groupsOf(items, idOf)
    const there = items.flatMap((item) => found.ids.get(item) ?? [])
    const { access, link } = this
    const behind = this.#behind
    const change: PivotChange = {
      operation: isNew ? 'attach' : 'sync',
      parent: await visibleWithId(access, id),
      visible: answerTest(behind.entity, await visibleRows(behind)),
      related: there.length === 0 ? false : await visibleWithId(behind, { in: there }),
      ids: groups.flatMap((group) => group.ids),
      ...{ access, link, target: behind.entity, groups, impossible: [], errors: new Map() },
    }
    /** With the records that the request makes: nobody else knows them. */
    const withMade = (seen: Seen): Seen => {
      const rows = items.flatMap((item) => {
        const row = made.get(textOf(item))
        return row === undefined ? [] : [[row['id'], row] as const]
      })
      return Object.assign({}, seen, { related: new Map([...seen.related, ...rows]) })
    }
    this.#first ??= record
    const part = { change, withMade, found, isFirst: this.#first === record }
    return isNew ? this.#attached(part, { id, values }) : this.#synced(part)
  }

  async #rowsOfNew({ made }: Found): Promise<ReadonlyMap<string, Row>> {
    const rows = (await this.#new?.ready()) ?? []
    return new Map(made.map((item, at) => [textOf(item), rows[at] ?? {}]))
  }

  /** Policies are asked about the record that the new one would be. */
  async #attached(
    { change, withMade, found, isFirst }: Part,
    { id, values }: { readonly id: Id; readonly values: Row },
  ): Promise<Within> {
    const { access, link, ids } = change
    const nothing = [...access.entity.columns.keys()].map((name) => [name, null] as const)
    const row: Row = Object.assign(Object.fromEntries(nothing), values, { id })
    const related = new Map(
      ids.flatMap((key) => {
        const each = found.rows.get(key)
        return each === undefined ? [] : [[key, each] as const]
      }),
    )
    const seen: Seen = { row, related, present: [], removed: [] }
    const ask = async (asked: Seen) => {
      await agreeTo(change, withMade(asked))
      return askGate(access, 'attach', link.key, writtenPivots(change, withMade(asked)))
    }
    let conditions = await ask(seen)
    return {
      begin: async () => {
        if (isFirst) this.#new?.begin()
      },
      write: async (connection) => {
        await this.#new?.write(connection)
        const held = await this.#stored(change, connection)
        if (!isSame(Object.assign({}, seen, { row: held.row }), held)) {
          const askAgain = async (locked: Seen) => {
            conditions = await ask(locked)
          }
          const isAgreed = await lockAndAsk(change, connection, askAgain)
          if (isAgreed === null) throw new UnavailableError(keptChanging)
        }
        await this.#requireConditions(conditions, id, connection)
        await this.#write(change, held.row, connection)
      },
      after: () => this.#after(),
    }
  }

  /** Nothing is attached to a record that its own writer does not see, as anywhere else. */
  async #stored(change: PivotChange, connection: Connection): Promise<Seen> {
    try {
      return await look(change, connection, 'hold')
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 404) throw error
      const { key } = this.link
      throw invalid({ [key]: [unseenAbove(key)] })
    }
  }

  async #requireConditions(
    conditions: readonly object[],
    id: Id,
    connection: Connection,
  ): Promise<void> {
    if (conditions.length === 0) return
    const { entity, request } = this.access
    const filter = answersTest(entity, [{ id }, ...conditions])
    if ((await rowsOf(connection, entity, filter)).length > 0) return
    throw request.user === null ? unauthenticated() : forbidden()
  }

  async #synced({ change, withMade, isFirst }: Part): Promise<Within> {
    const seen = await look(change, change.access.entity.database, 'read')
    const ask = (asked: Seen) => authorize(change, withMade(asked))
    await ask(seen)
    let row = seen.row
    return {
      begin: async (connection) => {
        if (isFirst) this.#new?.begin()
        const held =
          (await hold(change, connection, seen)) ?? (await lockAndAsk(change, connection, ask))
        if (held === null) throw new UnavailableError(keptChanging)
        row = held.row
      },
      write: async (connection) => {
        await this.#new?.write(connection)
        await this.#write(change, row, connection)
      },
      after: () => this.#after(),
    }
  }

  async #after(): Promise<void> {
    this.#isCommitted = true
    await this.#new?.after()
  }

  async #write(change: PivotChange, row: Row, connection: Connection): Promise<void> {
    await writePivots(change, row, connection).catch((error: unknown) =>
      throwRefused(change, error),
    )
  }
}

interface Part {
  readonly change: PivotChange
  readonly withMade: (seen: Seen) => Seen
  readonly found: Found
  readonly isFirst: boolean
}

const none: ReadonlyMap<string, string[]> = new Map()

function byRecord(problems: readonly Problem[]): Found['problems'] {
  const found = new Map<number, Map<string, string[]>>()
  for (const [record, name, text] of problems) {
    const own = found.get(record) ?? new Map<string, string[]>()
    found.set(record, own.set(name, [...(own.get(name) ?? []), text]))
  }
  return found
}

const textOf = ({ named }: Item): string => ('text' in named ? named.text : '')

/** Items with the same pivot fields are written together. */
function groupsOf(items: readonly Item[], idOf: (item: Item) => unknown): readonly PivotGroup[] {
  const groups = new Map<string, { ids: Id[]; values: Row }>()
  for (const item of items) {
    const text = JSON.stringify(item.pivots)
    const group = groups.get(text) ?? { ids: [], values: item.pivots }
    groups.set(text, group)
    group.ids.push(idOf(item) as Id) // of a record that is there, or whose key was reserved
  }
  return [...groups.values()]
}
