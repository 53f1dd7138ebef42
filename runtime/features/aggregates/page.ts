import { badRequest } from '../../errors.js'
import { budgetOf } from '../../model/budget.js'
import type { Access, Entity, Extension } from '../../model/entity.js'
import type { IndexQuery } from '../../model/queries.js'
import type { PageOf } from '../../model/resource.js'
import { matching, refusingSlow, windowOf } from '../../operations/read.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { takenOfList } from '../../query/extension-parameters.js'
import { badParameter } from '../../query/query.js'
import { read } from '../../sql/sql.js'
import { type Asked, ofAggregates, readAsked, saidIn } from './asked.js'
import { sortedGroups, termsOf } from './sorted-groups.js'
import { type Group, statementOf } from './statement.js'

/** The number of groups that one request may ask for; more is 400. */
export const mostGroups = 1_000

/** One page of the groups of the records that the user may see, in one statement. */
export async function aggregatePage(
  entity: Entity,
  user: unknown,
  sent: IndexQuery,
): Promise<PageOf<Group>> {
  const [access, query] = await takenOfList(aggregating(accessTo(newRequest(user), entity)), sent)
  checkQuery(access, query)
  const asked = await readAsked(access, saidIn(query))
  const terms = termsOf(access, asked, query.sort)
  const { page, perPage, offset } = windowOf(entity, query)
  const groups = await refusingSlow(access, query, () => readGroups(access, query, asked))
  const data = sortedGroups(groups, terms).slice(offset, offset + perPage)
  return { data, total: groups.length, page, perPage }
}

/** Groups are asked for in other words than records: `fields` and `cursor` mean nothing here. */
function aggregating(access: Access): Access {
  const others = access.extensions.map((each): Extension => {
    const { asks: _, ...others } = each.read ?? {}
    return Object.assign({}, each, { read: others })
  })
  return Object.assign({}, access, { extensions: [ofAggregates, ...others] })
}

function checkQuery({ entity }: Access, { include = [] }: IndexQuery): void {
  if (include.length > 0 && entity.settings.strict !== null) {
    throw badParameter('include', 'cannot be answered: groups are no records')
  }
}

async function readGroups(
  access: Access,
  query: IndexQuery,
  asked: Asked,
): Promise<readonly Group[]> {
  const { entity } = access
  const filter = await matching(access, query)
  const statement = statementOf(access, asked, filter, mostGroups + 1)
  // Constants that admit no row need no statement.
  const isNothing = filter === false || filter === null
  if (isNothing) return asked.groups.length === 0 ? [statement.none] : []
  const budget = budgetOf(entity, query)
  const rows = await read(entity.database, statement.sql, budget.caller, mostGroups + 1)
  if (rows.length > mostGroups) throw tooMany(asked)
  for (const row of rows) for (const value of row) spend(budget, value)
  return rows.map((row) => statement.read(row))
}

/** Groups may be long texts. */
function spend(budget: ReturnType<typeof budgetOf>, value: unknown): void {
  if (typeof value === 'string') budget.spendText(value.length)
}

function tooMany({ groups }: Asked): Error {
  const names = groups.map(({ name }) => name).join(', ')
  const advice = 'filter them, or group by less'
  const message = `There are more than ${mostGroups} groups by ${names}: ${advice}.`
  return badRequest(message, { groupBy: [message] })
}
