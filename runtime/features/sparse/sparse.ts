import type { Access, Extension } from '../../model/entity.js'
import { namesIn } from '../../query/names-in.js'
import {
  badParameter,
  type IncludeNode,
  type IncludeTree,
  type MatchValue,
} from '../../query/query.js'
import { unknownName } from '../../query/strict-queries.js'
import { boundedTree } from '../relations/bounded-tree.js'
import { accessBehind, isLink, isMorph } from '../relations/entries.js'
import { entryFor } from '../relations/resolve-include.js'

/** Attributes by the type of the resources that show them; null: of what is asked for. */
type Fields = Map<string | null, Named>

interface Named {
  /** As it was sent, for messages: `fields[posts]`. */
  readonly parameter: string
  readonly names: Set<string>
}

/**
 * `fields=title,price`: which attributes an answer has. No other column is read, but what relations
 * and computed entries need. `fields[reviews]=stars` speaks of all resources of a type, included
 * ones as well; columns in `include` say more than that.
 */
export const sparse: Extension = {
  read: {
    asks: {
      names: ['fields'],
      of: 'both',
      change: (access, query, said) => {
        const fields = read(said)
        const { key } = access.entity
        const tree = boundedTree(access, query.include)
        const types = new Map([[key, access]])
        for (const name of access.entity.relations?.kinds.keys() ?? []) {
          addTypes(access, name, types)
        }
        check(fields, access, typesIn(access, tree, types))
        const own = fields.get(null) ?? fields.get(key)
        const columns = own === undefined ? query.columns : [...own.names]
        return Object.assign({}, query, { columns, include: limitedTree(access, tree, fields) })
      },
    },
  },
}

function read(said: readonly MatchValue[]): Fields {
  const fields: Fields = new Map()
  for (const { column: parameter, text } of said) {
    const [found, type = null] = /^fields(?:\[([^[\]]+)\])?(?:\[\])?$/.exec(parameter) ?? []
    if (found === undefined) throw badParameter(parameter, 'must be fields, or fields[<type>]')
    const { names } = fields.get(type) ?? { names: new Set() }
    fields.set(type, { parameter, names: new Set([...names, ...namesIn(text)]) })
  }
  return fields
}

/**
 * The types of resources that an answer can have, as far as this user may ask for them: of what can
 * be included at once, and of what is included.
 */
function typesIn(
  access: Access,
  tree: IncludeTree,
  types: Map<string, Access>,
): ReadonlyMap<string, Access> {
  for (const { key, children } of tree) {
    for (const behind of addTypes(access, key, types)) typesIn(behind, children, types)
  }
  return types
}

function addTypes(access: Access, key: string, types: Map<string, Access>): readonly Access[] {
  const all = accessesBehind(access, key)
  for (const behind of all) {
    if (!types.has(behind.entity.key)) types.set(behind.entity.key, behind)
  }
  return all
}

function accessesBehind(access: Access, key: string): readonly Access[] {
  const entry = entryFor(access, key)
  if (entry === null) return []
  if (isMorph(entry)) return [...entry.links.values()].map((link) => accessBehind(access, link))
  return isLink(entry) ? [accessBehind(access, entry)] : []
}

/** 400 for what is not there, or not for this user: the two are one. */
function check(fields: Fields, access: Access, types: ReadonlyMap<string, Access>): void {
  for (const [type, { parameter, names }] of fields) {
    const of = type === null ? access : types.get(type)
    if (of === undefined) {
      const known = [...types.keys()].join(', ')
      throw badParameter(parameter, `names no type of this answer: it can show ${known}`)
    }
    const known = ['id', ...of.shown]
    const unknown = [...names].find((name) => !known.includes(name))
    if (unknown !== undefined) {
      throw unknownName(parameter, unknown, `show of ${of.entity.key}`, known)
    }
  }
}

/** Returns the tree with the columns of `fields`, where the tree does not name any itself. */
function limitedTree(access: Access, tree: IncludeTree, fields: Fields): IncludeTree {
  return tree.map((node) => {
    const entry = entryFor(access, node.key)
    if (entry !== null && isMorph(entry)) {
      const each = [...entry.links].map(([type, link]) => {
        const asked = Object.assign({}, node, node.ofType?.get(type))
        return [type, limited(accessBehind(access, link), asked, fields)] as const
      })
      return Object.assign({}, node, { ofType: new Map(each) })
    }
    if (entry === null || !isLink(entry)) return node
    return Object.assign({}, node, limited(accessBehind(access, entry), node, fields))
  })
}

const limited = (
  access: Access,
  { columns, children }: IncludeNode,
  fields: Fields,
): Pick<IncludeNode, 'columns' | 'children'> => {
  const named = fields.get(access.entity.key)
  return {
    columns: columns ?? (named === undefined ? null : [...named.names]),
    children: limitedTree(access, children, fields),
  }
}
