import type { Entity, Row } from '../../model/entity.js'
import { answerTest } from '../../policy/condition-sql.js'
import { asSql } from '../../policy/predicate.js'
import { identifier, raw, sql } from '../../sql/sql.js'
import { harmless } from './shown-value.js'
import { userCalled, type Users } from './users.js'
import { type Asker, Unanswerable } from './why-types.js'

/** A query names at most so many users. */
const mostOfQuery = 20

/** The users of ids and e-mails, and of `role=staff&is_admin=false` the first that are so; each once. */
export async function usersCalled(users: Users, names: readonly string[]): Promise<Asker[]> {
  const found = new Map<unknown, Asker>()
  for (const name of names) {
    const called = name.includes('=')
      ? await usersLike(users, name)
      : [await userCalled(users, name)]
    for (const user of called) found.set(user?.['id'], user)
  }
  return [...found.values()]
}

async function usersLike(users: Users, query: string): Promise<readonly Row[]> {
  const { entity } = users
  const values = Object.fromEntries(query.split('&').map((part) => valueIn(entity, part)))
  const test = asSql({ entity }, answerTest(entity, values, 'u')).sql
  const tail = sql`order by u.${identifier(entity.id.name)} limit ${raw(String(mostOfQuery))}`
  // They are rows of the users' table.
  const found = (await users.where(sql`${test} ${tail}`)) as readonly Row[]
  if (found.length > 0) return found
  throw new Unanswerable(`There is no user with ${harmless(query)}.`)
}

/** Reads a column and its value: `role=staff`. */
function valueIn(entity: Entity, part: string): readonly [field: string, value: unknown] {
  const [, field = '', text = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? []
  const column = entity.columns.get(field)
  if (column === undefined || column.storage.isSecret) {
    const known = [...entity.columns.values()].filter(({ storage }) => !storage.isSecret)
    const names = known.map((each) => each.field).join(', ')
    throw new Unanswerable(`${entity.key} have no column '${harmless(field)}'; there are ${names}.`)
  }
  const value = column.storage.fromText(text, column)
  if (value !== undefined) return [field, value]
  throw new Unanswerable(
    `'${harmless(text)}' is no value of ${field}: ${column.storage.says(column)}.`,
  )
}
