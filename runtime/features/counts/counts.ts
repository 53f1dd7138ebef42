import type { Access, Extension } from '../../model/entity.js'
import { nullPrototypeObject } from '../../model/get-own.js'
import type { ReadValue } from '../../model/queries.js'
import { reachableRows } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { asSql } from '../../policy/predicate.js'
import { namesIn } from '../../query/names-in.js'
import { badParameter, type MatchValue } from '../../query/query.js'
import { unknownName } from '../../query/strict-queries.js'
import { type Sql, sql } from '../../sql/sql.js'
import { accessBehind, type Link, linkOf, maySeeEntry, targetOf } from '../relations/entries.js'
import { joinTo } from '../relations/relation-sql.js'

declare module '../../model/resource.js' {
  interface Resource {
    /** The number of related records that the user may see, by relation. */
    counts?: Record<string, number>
  }
}

/**
 * `withCount=reviews,tags`: how many related records each record has, under their policy. They are
 * counted in the statement that reads the records. `sort`: those that lists may be ordered by,
 * `sort=-reviews.count`.
 *
 * @example extensions: [counts(['reviews', 'tags'], { sort: ['reviews'] })]
 */
export function counts(
  names: readonly string[],
  { sort = [] }: { readonly sort?: readonly string[] } = {},
): Extension {
  return {
    read: {
      asks: {
        names: ['withCount'],
        of: 'both',
        change: async (access, query, said) => {
          const asked = read(access, names, said)
          const counted = await Promise.all(asked.map((link) => countOf(access, link)))
          return Object.assign({}, query, { values: [...(query.values ?? []), ...counted] })
        },
      },
      order: {
        keys: sort.map(keyOf),
        term: async (access, key, descending) => {
          const link = openLinks(access, sort).find((each) => keyOf(each.key) === key)
          if (link === undefined) return null
          const value = await counting(access, link)
          return { key, descending, value, mayBeNull: false }
        },
      },
    },
  }
}

const keyOf = (relation: string) => `${relation}.count`

/** Relations that this user may ask for. */
const openLinks = (access: Access, names: readonly string[]): readonly Link[] =>
  names.flatMap((name) => {
    const link = linkOf(access.entity, name)
    return link !== undefined && maySeeEntry(access, link) ? [link] : []
  })

/** Reads the requested counts, in the order in which they are declared. */
function read(
  access: Access,
  names: readonly string[],
  said: readonly MatchValue[],
): readonly Link[] {
  const links = openLinks(access, names)
  const known = links.map(({ key }) => key)
  const asked = new Set<string>()
  for (const { column: parameter, text } of said) {
    if (!/^withCount(\[\])?$/.test(parameter)) throw badParameter(parameter, 'must be withCount')
    for (const name of namesIn(text)) {
      if (!known.includes(name)) {
        throw unknownName(parameter, name, `count of ${access.entity.key}`, known)
      }
      asked.add(name)
    }
  }
  return links.filter(({ key }) => asked.has(key))
}

async function countOf(access: Access, link: Link): Promise<ReadValue> {
  const value = await counting(access, link)
  return {
    value: value('t0'),
    show: (resource, count) => {
      resource.counts ??= nullPrototypeObject() as Record<string, number>
      resource.counts[link.key] = Number(count)
    },
  }
}

/** Counts the records of a relation that the user may see, of the table called `alias`. */
async function counting(access: Access, link: Link): Promise<(alias: string) => Sql> {
  const visible = await reachableRows(accessBehind(access, link))
  const test = answerTest(targetOf(link), visible, 's')
  return (alias) => {
    const { tables, on } = joinTo(link, alias, 's', 'p')
    return sql`(select count(*) from ${tables} where ${on} and ${asSql(access, test).sql})`
  }
}
