import { asPart } from '../../database/part.js'
import type { Connection } from '../../database/types.js'
import { forbidden, unauthenticated } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { strictBodies } from '../../input/strict-bodies.js'
import type { Access, PlaceOf, Row, Write } from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import { deniedOutright } from '../../operations/denied.js'
import { refusedWrite } from '../../operations/refused-by-database.js'
import { needsRow } from '../../operations/write/answer.js'
import { type Problems, problemsOfHook, readInputs } from '../../operations/write/inputs.js'
import { insertAll, type Inserting, insertingOf } from '../../operations/write/many/insert.js'
import { statementsOfMany } from '../../operations/write/many/statements.js'
import { atOnceOrInPieces } from '../../operations/write/many/transaction.js'
import { afterEach } from '../../operations/write/parts.js'
import { type Keys, keysOf, newRecord, readOthersOfAll } from '../../operations/write/pipeline.js'
import type { PlannedRecord, ReadyRecord, Sender, WritePlan } from '../../operations/write/plan.js'
import { withSteps } from '../../operations/write/steps.js'
import { startingValues } from '../../operations/write/values.js'
import { accessTo, mayStore } from '../../policy/access.js'
import { passes } from '../../policy/gates.js'
import { targetOf } from '../relations/entries.js'
import { parentOf } from '../relations/nested.js'
import {
  type Child,
  type ChildLink,
  namedParents,
  type Problem,
  readChildren,
} from './read-children.js'
import { undoneBy } from './undone.js'

interface Asked {
  readonly writes: readonly Write[]
  readonly placeOf: PlaceOf
}

/** The records below one record, before they are stored. */
interface Starting {
  readonly records: readonly PlannedRecord[]
  readonly starting: readonly Row[]
}

/**
 * The children of one relation, of all records that a request makes: `parent` and `at` are places of
 * these. Its methods are called in their order.
 */
export class Children {
  readonly #access: Access
  readonly #writes: readonly Write[]
  readonly #children: readonly Child[]
  readonly #shapeless: readonly Problem[]
  readonly #records = new Map<number, PlannedRecord[]>()
  /** Errors name a child by its place in the body of its record, or in that of the request. */
  readonly #inBody: WritePlan
  readonly #inRequest: WritePlan
  #inputs: readonly Row[] = []
  #needsKey = false
  #keys: Keys | null = null
  #inserting: Inserting | null = null
  readonly #starting = new Map<number, Starting>()
  readonly #ready = new Map<number, readonly ReadyRecord[]>()
  #written: ReadonlyMap<ReadyRecord, readonly unknown[]> = new Map()
  #resources: ReadonlyMap<ReadyRecord, Resource> | null = null

  constructor(
    above: Access,
    readonly link: ChildLink,
    { writes, placeOf }: Asked,
  ) {
    const access = accessBelow(above, link)
    const read = writes.map((write, at) => readChildren(write, link, at))
    const children = read.flatMap((each) => each.children)
    const planned = children.map(({ body }, at): PlannedRecord => {
      return { at, id: null, access, steps: [], write: { operation: 'store', idText: null, body } }
    })
    const placeIn = (at: number, field?: string) => {
      const place = children[at]?.place ?? ''
      return field === undefined ? place : `${place}.${field}`
    }
    const common = {
      access,
      isAlong: true,
      isMinimal: false,
      strict: strictBodies,
      statements: statementsOfMany,
    }
    this.#access = access
    this.#writes = writes
    this.#children = children
    this.#shapeless = read.flatMap(({ problems }) => problems)
    this.#inBody = withSteps({ placeOf: placeIn, records: planned, ...common })
    const { records } = this.#inBody
    this.#inRequest = {
      records,
      placeOf: (at, field) => placeOf(children[at]?.parent ?? 0, placeIn(at, field)),
      ...common,
    }
    for (const [at, { parent }] of children.entries()) {
      const own = this.#records.get(parent) ?? []
      this.#records.set(parent, own)
      own.push(...records.slice(at, at + 1))
    }
  }

  /** Returns the records below one record. */
  below(parent: number): readonly PlannedRecord[] {
    return this.#records.get(parent) ?? []
  }

  /** 401 or 403 for who makes none, whatever the bodies. */
  async mayStore(): Promise<void> {
    if (this.#children.length === 0) return
    const { entity, request } = this.#access
    if (!(await mayStore(this.#access))) throw deniedOutright(this.#access, 'store')
    const isOpen = (name: string) => passes(entity.policy.canStore, name, request.user)
    if (pointersOf(this.link).every(isOpen)) return
    throw request.user === null ? unauthenticated() : forbidden()
  }

  /** All that is wrong with their bodies. */
  async check(): Promise<readonly Problem[]> {
    const { inputs, problems } = await readInputs(this.#inBody, 'whole')
    this.#inputs = inputs
    const ofInputs = problems.map(([{ at }, name, texts]): Problem => {
      return [this.#children[at]?.parent ?? 0, this.#inBody.placeOf(at, name ?? undefined), texts]
    })
    const ofParents = this.#children.flatMap((child) => {
      const above = this.#writes[child.parent]
      return above === undefined ? [] : namedParents(child, this.link, above)
    })
    return [...this.#shapeless, ...ofInputs, ...ofParents]
  }

  async readOthers(parent: number): Promise<void> {
    const records = this.below(parent)
    if (await readOthersOfAll(Object.assign({}, this.#inBody, { records }))) this.#needsKey = true
  }

  /** Asks the hook `validate` about the records below one record, which will have this id. */
  async validate(parent: number, id: number | string): Promise<Problems> {
    const access = Object.assign({}, this.#access, { parent: parentOf(this.link, { id }) })
    const records = this.below(parent).map((record): PlannedRecord => {
      return Object.assign({}, record, { access })
    })
    const starting: Row[] = []
    for (const { at } of records) {
      if (isTurnLong()) await nextTurn()
      starting.push(startingValues(access, this.#inputs[at] ?? {}))
    }
    this.#starting.set(parent, { records, starting })
    return problemsOfHook(Object.assign({}, this.#inRequest, { records }), starting, null)
  }

  /** Asks the other hooks of those. */
  async ready(parent: number): Promise<void> {
    const { records, starting } = this.#starting.get(parent) ?? { records: [], starting: [] }
    if (records.length === 0) return
    const keys = await this.#keysOf()
    const ready: ReadyRecord[] = []
    for (const [at, record] of records.entries()) {
      if (isTurnLong()) await nextTurn()
      ready.push(await newRecord(this.#inRequest, record, starting[at] ?? {}, keys))
    }
    this.#ready.set(parent, ready)
  }

  async #keysOf(): Promise<Keys> {
    if (this.#keys !== null) return this.#keys
    const plan = this.#inRequest
    const keys = await keysOf(plan, this.#children.length, this.#needsKey)
    const isWhole =
      needsRow(plan, 'afterStore', []) ||
      plan.records.some(({ steps }) => steps.some(({ within }) => within !== undefined))
    this.#inserting = await insertingOf(plan, keys.areKnown, isWhole)
    this.#keys = keys
    return keys
  }

  /** All of them, in the transaction of the records above. */
  async write(connection: Connection): Promise<void> {
    const inserting = this.#inserting
    if (inserting === null) return
    const records = this.#allReady()
    const send = (sender: Sender) =>
      asPart(connection, 'children', () => insertAll(inserting, records, connection, sender))
    try {
      this.#written = await atOnceOrInPieces(send)
    } catch (error) {
      throw undoneBy(this.#inRequest.placeOf, error, ({ values }, refusal) =>
        refusedWrite(this.#access.entity, values, null, refusal),
      )
    }
  }

  #allReady = () => [...this.#ready.values()].flat()

  #rawOf = (row: ReadyRecord): readonly unknown[] => this.#written.get(row) ?? []

  /** The hooks of those below one record. */
  async after(parent: number): Promise<void> {
    const reader = this.#inserting?.reading.reader
    if (reader === undefined) return
    const rows = (this.#ready.get(parent) ?? []).map((row) => {
      return { parts: row.parts, row: reader.object(this.#rawOf(row)) }
    })
    await afterEach(this.#inBody, 'afterStore', rows)
  }

  /** Returns the children of one record as the answer shows them. */
  async made(parent: number): Promise<readonly Resource[] | Resource | null> {
    this.#resources ??= await this.#readResources()
    const known = this.#resources
    const own = (this.#ready.get(parent) ?? []).flatMap((row) => known.get(row) ?? [])
    return this.link.toOne ? (own[0] ?? null) : own
  }

  async #readResources(): Promise<ReadonlyMap<ReadyRecord, Resource>> {
    const rows = this.#allReady()
    const found = (await this.#inserting?.reading.resources(rows.map(this.#rawOf))) ?? []
    return new Map(
      rows.flatMap((row, at) => {
        const resource = found[at]
        return resource === undefined ? [] : [[row, resource] as const]
      }),
    )
  }
}

/**
 * The related repository. Its records are made as anywhere, but for what points at the record above,
 * which they do not say.
 */
function accessBelow({ request }: Access, link: ChildLink): Access {
  const access = accessTo(request, targetOf(link))
  const ofRow = { updatable: new Map<string, object>(), kept: new Set(pointersOf(link)) }
  return Object.assign({}, access, { ofRow })
}

/** Columns that hold the record above. */
function pointersOf({ relation: { foreignKey, morphType } }: ChildLink): readonly string[] {
  return morphType === null ? [foreignKey] : [foreignKey, morphType]
}
