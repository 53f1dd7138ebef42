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
import { all, where } from '../../policy/predicate.js'
import { takenOfList } from '../../query/extension-parameters.js'
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
  const access = accessTo(Object.assign(newRequest(user), { isMany: true }), entity)
  requireFilters(access, query)
  const question = runQuestion(name)
  const allowed = await ask(access, question)
  if (allowed === false) throw deniedOutright(access, question)
  const start = after === undefined ? null : keyOf(entity, after)
  const values = readInput(access, action, input)
  const [taking, filters] = await takenOfList(access, query)
  const filterNow = async () =>
    all(taking, [await matching(taking, filters), answersTest(entity, [allowed])])
  const isOne = current.getStore() !== undefined
  const found = await count(
    entity,
    below(entity, await filterNow(), start),
    budgetOf(entity, query).caller,
  )
  const bound = isOne ? mostTogether : most
  if (found > bound) throw tooMany(found, bound, isOne)
  const size = isOne ? bound : chunk
  let last = start
  for (;;) {
    const filter = below(entity, await filterNow(), last)
    const before = processed.returned.length
    const rows = await inTransaction(action, access, async (connection) => {
      // PostgreSQL runs a transaction again after a deadlock: the answer of the last time counts.
      processed.returned.length = before
      const held = await holdNext(taking, filter, size, connection)
      if (held.length > 0) await runChunk(action, access, held, values, processed)
      return held
    })
    const end = rows.at(-1)?.['id'] as number | string | undefined
    if (end === undefined) return
    last = end
    processed.count += rows.length
    processed.last = String(end)
    if (rows.length < size) return
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
    if (!isFilter(access, sent)) throw strictQueries.parameter(access, sent.column, 'list')
  }
}

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

/** The next records from the highest key down, locked until the transaction ends. */
async function holdNext(
  access: Access,
  filter: Test,
  most: number,
  connection: Connection,
): Promise<readonly Row[]> {
  const { entity } = access
  const reader = rowReader(entity, allColumns(entity))
  const lock = raw(connection.dialect === 'postgresql' ? ' for no key update of t0' : '')
  const query = sql`select ${reader.select('t0')} from ${table(entity.table, 't0')}${where(filter, access)}
    order by ${identifier('t0', entity.id.name)} desc limit ${most}${lock}`
  return (await write(connection, query)).map((row) => reader.object(reader.decode(row)))
}
