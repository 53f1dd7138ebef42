import type { Connection } from '../../database/types.js'
import { conflict } from '../../errors.js'
import { budgetOf } from '../../model/budget.js'
import type { Access, Entity, HasEntity, Row } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import type { Test } from '../../model/sql-test.js'
import { deniedOutright } from '../../operations/denied.js'
import { count, isFilter, matching } from '../../operations/read.js'
import { allColumns, rowReader } from '../../operations/row-reader.js'
import { accessTo, ask, newRequest } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { noMasks } from '../../policy/gates.js'
import { all, where } from '../../policy/predicate.js'
import { bareName, parametersOf, partsOf, takenOfList } from '../../query/extension-parameters.js'
import { badParameter, type IndexQuery } from '../../query/query.js'
import { strictQueries } from '../../query/strict-queries.js'
import { identifier, raw, sql, table, write } from '../../sql/sql.js'
import { current } from '../transactions/current.js'
import { actionNamed, type Runnable, runQuestion } from './actions.js'
import { inTransaction, readInput, runCode } from './run.js'

/** Records of one transaction. */
const chunk = 200

interface AllOptions {
  /** Records that may be found; more is 409. */
  readonly most: number
  /** Records of one transaction, where all have to be in one; more is 409. */
  readonly mostTogether: number
  /** Filled while it runs: where it fails, it says what is done. */
  readonly processed: Processed
}

interface AskedOfAll {
  /** The filters of a list. */
  readonly query: IndexQuery
  readonly input: unknown
  /** Goes on behind the record with this id: its key is the next lower one. */
  readonly after?: string | undefined
}

/** What was done, of which answers tell. */
export interface Processed {
  /** What the action returned, for each chunk for which it returned something. */
  readonly returned: unknown[]
  count: number
  /** The last record that is done; null: none is. */
  last: string | null
}

/**
 * Runs an action on all records that a list with these filters would find and on which its policy lets
 * the user run it. They are counted first. Then they are done from the highest key down, 200 in a
 * transaction, and each asks policy and filters again. Inside a transaction (a dry run, a key against
 * repetition, `max-affected`) all are one.
 */
export async function runOnAll(
  { definition }: HasEntity,
  user: unknown,
  name: string,
  { query, input, after }: AskedOfAll,
  { most, mostTogether, processed }: AllOptions,
): Promise<void> {
  const action = actionNamed(definition, name)
  const entity = strict(definition)
  const question = runQuestion(name)
  /** The policy is asked anew each time: its answer may be another one by then. */
  const asked = async (last: number | string | null) => {
    const access = accessTo(Object.assign(newRequest(user), { isMany: true }), entity)
    requireFilters(access, query)
    const allowed = await ask(access, question)
    if (allowed === false) throw deniedOutright(access, question)
    const [taking, filters] = await takenOfList(access, query)
    const filter = all(taking, [await matching(taking, filters), answersTest(entity, [allowed])])
    return { access: taking, filter: below(entity, filter, last) }
  }
  let last = after === undefined ? null : keyOf(entity, after)
  const first = await asked(last)
  const values = readInput(first.access, action, input)
  const isOne = current.getStore() !== undefined
  const found = await count(entity, first.filter, budgetOf(entity, query).caller)
  const bound = isOne ? mostTogether : most
  if (found > bound) throw tooMany(found, bound, isOne)
  // No more than were counted: an action may make records that would be found next.
  while (processed.count < found) {
    const size = Math.min(isOne ? bound : chunk, found - processed.count)
    const { access, filter } = await asked(last)
    const before = processed.returned.length
    const { rows, end } = await inTransaction(action, access, async (connection) => {
      // PostgreSQL runs a transaction again after a deadlock: the answer of the last time counts.
      processed.returned.length = before
      const held = await holdNext(access, filter, size, connection)
      if (held.rows.length > 0) await runChunk(action, access, held.rows, values, processed)
      return held
    })
    if (end === null) return
    last = end
    processed.count += rows.length
    processed.last = String(end)
  }
}

async function runChunk(
  action: Runnable,
  access: Access,
  rows: readonly Row[],
  values: Row,
  { returned }: Processed,
): Promise<void> {
  const answer = await runCode(action, access, rows, values)
  if (answer !== undefined) returned.push(answer)
}

/** With one id wrong or left out, an action would run on what nobody meant: names are always checked. */
const strict = (entity: Entity): Entity =>
  entity.settings.strict === null
    ? Object.assign({}, entity, {
        settings: Object.assign({}, entity.settings, { strict: strictQueries }),
      })
    : entity

/** 400 for parameters that do not filter: a page of the records would be all of them. */
function requireFilters(access: Access, query: IndexQuery): void {
  const { page, perPage = null, relatablePerPage = null, sort = [], include = [] } = query
  const others: readonly (readonly [string, boolean])[] = [
    ['page', page !== undefined],
    ['perPage', perPage !== null],
    ['relatablePerPage', relatablePerPage !== null],
    ['sort', sort.length > 0],
    ['include', include.length > 0],
    ['withMeta', query.withMeta === true],
  ]
  const other = others.find(([, isSent]) => isSent)
  if (other !== undefined) throw badParameter(other[0], onlyFilters)
  for (const sent of query.match ?? []) {
    if (isFilter(access, sent)) continue
    const isOfList = listParameters(access).includes(bareName(sent))
    if (isOfList) throw badParameter(sent.column, onlyFilters)
    throw strictQueries.parameter(access, sent.column, 'list')
  }
}

/** What features let lists be asked besides filters: `fields`, `cursor`, `trashed`. */
const listParameters = (access: Access): readonly string[] => [
  ...parametersOf(access, 'list').map(({ name }) => name),
  ...partsOf(access, 'list').flatMap(({ names }) => names),
]

const onlyFilters = 'is not taken here: an action on all records takes filters and search alone'

function keyOf(entity: Entity, text: string): number | string {
  const id = readId(entity.id, text)
  if (id === null) throw badParameter('after', 'must be the id of a record')
  return id
}

const below = (entity: Entity, filter: Test, last: number | string | null): Test =>
  last === null ? filter : all({ entity }, [filter, answersTest(entity, [{ id: { lt: last } }])])

const tooMany = (found: number, most: number, isOne: boolean) =>
  conflict(
    isOne
      ? `These are ${found} records, and one transaction takes at most ${most}. Nothing was done.`
      : `These are ${found} records, and an action takes at most ${most}: narrow them down by filters. Nothing was done.`,
  )

interface HeldRows {
  readonly rows: readonly Row[]
  /** The lowest key that was looked at; null: there is no further record. */
  readonly end: number | string | null
}

/**
 * The next records from the highest key down, locked until the transaction ends: in the order of their
 * keys, as all do who lock many.
 */
async function holdNext(
  access: Access,
  filter: Test,
  most: number,
  connection: Connection,
): Promise<HeldRows> {
  const { entity } = access
  const key = identifier('t0', entity.id.name)
  const from = table(entity.table, 't0')
  const keys = rowReader(entity, { shown: [], masks: noMasks, needs: [], flags: null })
  const next = sql`select ${keys.select('t0')} from ${from}${where(filter, access)}
    order by ${key} desc limit ${most}`
  const ids = (await write(connection, next)).map((raw) => keys.decode(raw)[0])
  const end = ids.at(-1) as number | string | undefined
  if (end === undefined) return { rows: [], end: null }
  const reader = rowReader(entity, allColumns(entity))
  const named = all(access, [filter, answersTest(entity, [{ id: { in: ids } }])])
  const lock = raw(connection.dialect === 'postgresql' ? ' for no key update of t0' : '')
  const query = sql`select ${reader.select('t0')} from ${from}${where(named, access)}
    order by ${key}${lock}`
  const rows = (await write(connection, query)).map((found) => reader.object(reader.decode(found)))
  return { rows: rows.toReversed(), end }
}
