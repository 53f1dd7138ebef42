import { HttpError } from '../../errors.js'
import { Budget } from '../../model/budget.js'
import type {
  Access,
  Extension,
  PlannedRecord,
  PlannedWrite,
  ValuedRecord,
  Within,
  Write,
  WriteSteps,
} from '../../model/entity.js'
import { includedBy, readResources } from '../../operations/read.js'
import { flagsOf, visibleWithId } from '../../policy/access.js'
import { Undone } from '../nested-create/undone.js'
import { linkOf, maySeeEntry } from '../relations/entries.js'
import { isPivotLink, type PivotLink } from '../relations/relation-sql.js'
import { PivotLists } from './pivot-lists.js'

export interface NestedPivotsOptions {
  /** Many-to-many relations that the body of a record may hold: `tags: [{ id: '3' }]`. */
  readonly relations: readonly string[]
  /** Records that one request makes, with the related ones that it makes. */
  readonly most: number
}

/**
 * For a repository: a record is written together with which records of a many-to-many relation
 * belong to it, in one transaction. A new record attaches them, and one that is there syncs them:
 * the policy's `attachTags` and `syncTags`, gates of pivots and rules of pivot fields count as in
 * the routes. Where the related repository has `upsertBy`, a record may be named by such a key, and
 * is made where there is none.
 *
 * A relation that a user may not see is none that their bodies can hold.
 *
 * @example extensions: [nestedPivots({ relations: ['tags'], most: config.limits.bulk_rows })]
 */
export function nestedPivots({ relations, most }: NestedPivotsOptions): Extension {
  return {
    write: (plan) =>
      plan.isAlong ? null : stepsOf(plan, visibleLinks(plan.access, relations), most),
  }
}

function stepsOf(plan: PlannedWrite, links: readonly PivotLink[], most: number): WriteSteps {
  const takes: WriteSteps['takes'] = ({ write }) =>
    isSaved(write) ? links.map(({ key }) => key) : []
  const { access, records, placeOf } = plan
  const named = links.filter(({ key }) =>
    records.some(({ write }) => isSaved(write) && Object.hasOwn(write.body, key)),
  )
  if (named.length === 0) return { takes, around: answered }
  const writes = records.map(({ write }) => write)
  const lists = named.map((link) => new PivotLists(access, link, { writes, placeOf, most }))
  const shown = new Shown(access, lists)
  const ofRecord = (at: number) => lists.filter((list) => list.isNamedBy(at))
  const needsKey = ({ at, write }: PlannedRecord) =>
    write.operation === 'store' && ofRecord(at).some((list) => list.hasItems(at))
  const steps: WriteSteps = {
    takes,
    around: (write) => attempts(lists, () => answered(write)),
    check: ({ at }) => problemsOf(ofRecord(at), at),
    within: (record) => {
      shown.note(record)
      return withinAll(ofRecord(record.at), record)
    },
    made: ({ at }) => shown.of(at),
  }
  return records.some(needsKey) ? Object.assign(steps, { readOthers: needsKey }) : steps
}

const isSaved = ({ operation }: Write) => operation === 'store' || operation === 'update'

function visibleLinks(access: Access, relations: readonly string[]): readonly PivotLink[] {
  return relations.flatMap((key) => {
    const link = linkOf(access.entity, key)
    return link !== undefined && isPivotLink(link) && maySeeEntry(access, link) ? [link] : []
  })
}

/** Answers a refusal when all is rolled back. */
async function answered<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Undone ? await error.answer() : error
  }
}

const mostTries = 3

/** Tries again where somebody else made a record that this request wanted to make. */
async function attempts<Done>(
  lists: readonly PivotLists[],
  work: () => Promise<Done>,
): Promise<Done> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HttpError) || tries === mostTries) throw error
      const areMade = await Promise.all(lists.map((list) => list.isMadeMeanwhile()))
      if (!areMade.includes(true)) throw error
      for (const list of lists) list.reset()
    }
  }
}

async function problemsOf(
  lists: readonly PivotLists[],
  record: number,
): Promise<ReadonlyMap<string, string[]>> {
  const problems = new Map<string, string[]>()
  for (const list of lists) {
    for (const [name, texts] of await list.check(record)) problems.set(name, texts)
  }
  return problems
}

/** Joins the transaction parts of one record, of all its relations. */
async function withinAll(
  lists: readonly PivotLists[],
  record: ValuedRecord,
): Promise<Within | null> {
  const parts: Within[] = []
  for (const list of lists) {
    const part = await list.within(record)
    if (part !== null) parts.push(part)
  }
  if (parts.length === 0) return null
  return {
    begin: async (connection) => {
      for (const part of parts) await part.begin?.(connection)
    },
    write: async (connection, row, before) => {
      for (const part of parts) await part.write(connection, row, before)
    },
    after: async () => {
      for (const part of parts) await part.after?.()
    },
  }
}

/** The relations as `include` would answer them. They are read once for all records. */
class Shown {
  readonly #ids = new Map<number, number | string>()
  #read: Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> | null = null

  constructor(
    readonly access: Access,
    readonly lists: readonly PivotLists[],
  ) {}

  note({ at, id }: PlannedRecord): void {
    if (id !== null) this.#ids.set(at, id)
  }

  async of(record: number): Promise<Readonly<Record<string, unknown>>> {
    const own = this.lists.filter((list) => list.isNamedBy(record))
    if (own.length === 0) return {}
    this.#read ??= this.#readAll()
    const all = (await this.#read).get(String(this.#ids.get(record))) ?? {}
    return Object.fromEntries(own.map(({ link: { key } }) => [key, all[key] ?? []]))
  }

  async #readAll(): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
    const { access } = this
    const named = [...this.#ids].flatMap(([record, id]) =>
      this.lists.some((list) => list.isNamedBy(record)) ? [id] : [],
    )
    const query = { include: this.lists.map(({ link: { key } }) => ['include', key] as const) }
    const resources = await readResources({
      access,
      query,
      included: includedBy(access, query),
      filter: await visibleWithId(access, { in: named }),
      flags: await flagsOf(access, 'visible'),
      // They are written: too large an answer is another one.
      budget: new Budget({ maxRelated: Number.MAX_SAFE_INTEGER - 1, maxResponse: Infinity }),
      most: named.length,
    })
    return new Map(resources.map(({ id, relationships }) => [id, relationships ?? {}]))
  }
}
