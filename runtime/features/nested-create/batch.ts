import type { Connection } from '../../database/types.js'
import { HttpError, invalid } from '../../errors.js'
import type { Access, PlaceOf, PlannedRecord, Within, Write } from '../../model/entity.js'
import { visibleRows } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { where } from '../../policy/predicate.js'
import { identifier, read, sql, table } from '../../sql/sql.js'
import { Children } from './children.js'
import { type ChildLink, countChildren } from './read-children.js'
import { tooManyRecords, unseenAbove } from './refusals.js'
import { Undone } from './undone.js'

interface Asked {
  readonly writes: readonly Write[]
  readonly placeOf: PlaceOf
  readonly most: number
}

type Problems = ReadonlyMap<string, string[]>

/**
 * What one request makes below the records that it makes. However many these are, its statements
 * are as many: each relation is written at once. A record is named by its place in the request.
 */
export class Batch {
  readonly #access: Access
  readonly #asked: Asked
  /** 413, before any of the children is looked at. */
  readonly #tooMany: HttpError | null
  readonly #lists: readonly Children[]
  /** Places of the records with children. */
  readonly #above: ReadonlySet<number>
  /** Errors of the hook `validate`, by their place in the request. */
  readonly #wrong: (readonly [string, string[]])[] = []
  /** Ids of the records with children. */
  readonly #ids = new Map<number, number | string>()
  #problems: Promise<ReadonlyMap<number, Problems>> | null = null
  #visible: unknown = true
  #isWritten = false

  constructor(access: Access, links: readonly ChildLink[], asked: Asked) {
    this.#access = access
    this.#asked = asked
    this.#tooMany = tooMany(links, asked)
    this.#lists =
      this.#tooMany === null ? links.map((link) => new Children(access, link, asked)) : []
    const isAbove = (at: number) => this.#lists.some((each) => each.below(at).length > 0)
    this.#above = new Set([...asked.writes.keys()].filter(isAbove))
  }

  /** Returns the errors of a record's children. */
  async check(at: number): Promise<Problems> {
    this.#problems ??= this.#examine()
    return (await this.#problems).get(at) ?? none
  }

  /** Authorization errors come first. */
  async #examine(): Promise<ReadonlyMap<number, Problems>> {
    if (this.#tooMany !== null) throw this.#tooMany
    for (const each of this.#lists) await each.mayStore()
    const found = new Map<number, Map<string, string[]>>()
    for (const each of this.#lists) {
      for (const [parent, name, texts] of await each.check()) {
        const own = found.get(parent) ?? new Map<string, string[]>()
        found.set(parent, own.set(name, [...texts]))
      }
    }
    return found
  }

  #isAbove = (at: number): boolean => this.#above.has(at)

  /** When it is known what is wrong with all children: the hooks that follow `validate`. */
  async #ready(): Promise<void> {
    if (this.#wrong.length > 0) throw invalid(new Map(this.#wrong))
    for (const at of this.#ids.keys()) {
      for (const each of this.#lists) await each.ready(at)
    }
  }

  /** Returns true if the record needs its key before it is written: its children point at it. */
  async readOthers(at: number): Promise<boolean> {
    if (!this.#isAbove(at)) return false
    this.#visible = await visibleRows(this.#access)
    for (const each of this.#lists) await each.readOthers(at)
    return true
  }

  async within({ at, id }: PlannedRecord): Promise<Within | null> {
    // Reserved: see `readOthers`.
    if (id === null || !this.#isAbove(at)) return null
    this.#ids.set(at, id)
    await inPlaces(async () => {
      for (const each of this.#lists) this.#wrong.push(...(await each.validate(at, id)))
      if (this.#ids.size === this.#above.size) await this.#ready()
    })
    return {
      begin: async () => {
        this.#isWritten = false
      },
      // All records are there when the first of them is asked.
      write: async (connection) => {
        if (this.#isWritten) return
        this.#isWritten = true
        await this.#checkVisible(connection)
        for (const each of this.#lists) await each.write(connection)
      },
      after: async () => {
        for (const each of this.#lists) await each.after(at)
      },
    }
  }

  /** Nothing is made below a record that its own writer does not see, as anywhere else. */
  async #checkVisible(connection: Connection): Promise<void> {
    const { entity } = this.#access
    if (answersTest(entity, [this.#visible]) === true) return
    const named = { id: { in: [...this.#ids.values()] } }
    const filter = where(answersTest(entity, [named, this.#visible]), { entity })
    const id = sql`cast(${identifier('t0', entity.id.name)} as text)`
    const query = sql`select ${id} from ${table(entity.table, 't0')}${filter}`
    const seen = new Set((await read(connection, query)).map(([key]) => String(key)))
    const hidden = [...this.#ids].filter(([, key]) => !seen.has(String(key)))
    const errors = hidden.flatMap(([at]) =>
      this.#lists
        .filter((each) => each.below(at).length > 0)
        .map(({ link: { key } }): [string, string[]] => [
          this.#asked.placeOf(at, key),
          [unseenAbove(key)],
        ]),
    )
    if (errors.length > 0) throw new Undone(async () => invalid(new Map(errors)))
  }

  /** By relation, what the answer shows of those that the body of a record speaks of. */
  async made(at: number): Promise<Readonly<Record<string, unknown>>> {
    const body = this.#asked.writes[at]?.body ?? {}
    const shown: Record<string, unknown> = {}
    for (const each of this.#lists) {
      const { key } = each.link
      if (Object.hasOwn(body, key)) shown[key] = await each.made(at)
    }
    return shown
  }
}

function tooMany(links: readonly ChildLink[], { writes, most }: Asked): HttpError | null {
  const below = links.flatMap((link) => writes.map((write) => countChildren(write, link)))
  const count = below.reduce((sum, each) => sum + each, writes.length)
  return count > most ? tooManyRecords(most, `${count}, with those below them`) : null
}

/**
 * Marks errors that name their place in the request already, so that the record above does not add
 * its own.
 */
async function inPlaces(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof HttpError ? new Undone(async () => error) : error
  }
}

const none: Problems = new Map()
