import type { Access, Extension } from '../../model/entity.js'
import { getOwn, isRecord } from '../../model/get-own.js'
import { maySeeSome } from '../../policy/gates.js'
import { bareName } from '../../query/extension-parameters.js'
import { badParameter } from '../../query/query.js'
import { isPart } from '../operators/comparisons.js'
import { conditionOf } from './conditions.js'
import { most, readTree } from './read-tree.js'

/**
 * For a repository: lists are narrowed down by a tree of comparisons, `{ any: [{ price: { gte: 5 } },
 * { not: { status: 'open' } }] }`, which requests with a body have as `where`, and lists of GraphQL.
 * NULL is as in SQL: only `isNull` finds it, also below `not`.
 */
export const trees: Extension = {
  read: {
    filter: {
      owns: ['where'],
      takes: (access, name) => bareName({ column: name }) === 'where' && !isColumn(access),
      names: (_, inBody = false) => (inBody ? ['where'] : []),
      isScan: ({ where }) => isScan(where),
      conditions: async (access, said, { where }) => {
        if (said.length > 0) {
          const address = `POST /${access.entity.key}/search`
          throw badParameter(
            'where',
            `is no parameter of an address: the body of ${address} has it`,
          )
        }
        if (where === undefined || where === null) return []
        return [await conditionOf(access, readTree(where))]
      },
    },
  },
}

/** Returns true if a column to match by is called so. */
const isColumn = (access: Access): boolean =>
  getOwn(access.entity.match?.types, 'where') !== undefined && maySeeSome(access, 'where')

/** A part of a text, any of several columns and what is not: no one index finds it. */
function isScan(where: unknown, level = 1): boolean {
  if (!isRecord(where)) return false
  if (level > most.levels) return true
  return Object.entries(where).some(([name, value]) => {
    if (name === 'any' || name === 'not') return true
    if (name === 'all') return Array.isArray(value) && value.some((each) => isScan(each, level + 1))
    return isRecord(value) && Object.keys(value).some(isPart)
  })
}
