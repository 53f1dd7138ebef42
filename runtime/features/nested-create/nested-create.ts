import { sentence, worded } from '../../input/messages.js'
import type { Access, Extension, Write } from '../../model/entity.js'
import { linkOf, maySeeEntry } from '../relations/entries.js'
import { Batch } from './batch.js'
import { type ChildLink, isChildLink } from './read-children.js'
import { Undone } from './undone.js'

export interface NestedCreateOptions {
  /** Relations whose records the body of a new record may hold: `comments: [{ body }]`. */
  readonly relations: readonly string[]
  /** Records of one request, with those below them. */
  readonly most: number
}

/**
 * For a repository: a new record is made together with records that belong to it, in one
 * transaction. Each is made as if it were sent to the relation below the new record
 * (`POST /posts/7/comments`): its own rules, policy and hooks count, and its record is the one
 * above, whatever it says.
 *
 * A relation that a user may not see is none that their bodies can hold.
 *
 * @example extensions: [nestedCreate({ relations: ['comments'], most: config.limits.bulk_rows })]
 */
export function nestedCreate({ relations, most }: NestedCreateOptions): Extension {
  const linksTo = (access: Access) => visibleLinks(access, relations)
  const shared: Extension = {
    takes: (access, { operation }) =>
      operation === 'store' ? linksTo(access).map(({ key }) => key) : [],
    check: async (access, write) => onlyWhenMade(linksTo(access), write),
    around: async (_, __, work) => {
      try {
        return await work()
      } catch (error) {
        throw error instanceof Undone ? await error.answer() : error
      }
    },
  }
  return Object.assign({}, shared, {
    ofWrites: (access, writes, placeOf) => {
      const stores = writes.map((write) => (isStore(write) ? write : nothingOf(write)))
      const links = linksTo(access).filter(({ key }) =>
        stores.some(({ body }) => Object.hasOwn(body, key)),
      )
      if (links.length === 0) return []
      const begin = () => new Batch(access, links, { writes: stores, placeOf, most })
      const checked = new Set<number>()
      let batch = begin()
      return writes.map((write, at) =>
        isStore(write)
          ? Object.assign({}, shared, {
              check: () => {
                // A request that met others is tried again, from its beginning.
                if (checked.has(at)) {
                  batch = begin()
                  checked.clear()
                }
                checked.add(at)
                return batch.check(at)
              },
              prepare: () => batch.prepare(at),
              within: (_access, { id }) => batch.within(at, id),
              made: () => batch.made(at),
            } satisfies Extension)
          : shared,
      )
    },
  } satisfies Extension)
}

const isStore = ({ operation }: Write) => operation === 'store'

/** A write that makes no records below its own. */
const nothingOf = (write: Write): Write => Object.assign({}, write, { body: {} })

function visibleLinks(access: Access, relations: readonly string[]): readonly ChildLink[] {
  return relations.flatMap((key) => {
    const link = linkOf(access.entity, key)
    return link !== undefined && isChildLink(link) && maySeeEntry(access, link) ? [link] : []
  })
}

/** Refuses children in a change of a record: they are records, and are changed themselves. */
function onlyWhenMade(
  links: readonly ChildLink[],
  { operation, body }: Write,
): ReadonlyMap<string, string[]> {
  if (operation === 'store') return none
  const named = links.filter(({ key }) => Object.hasOwn(body, key))
  return new Map(named.map(({ key }) => [key, [sentence(key, worded(notHere, 'onlyWithNew'))]]))
}

const none: ReadonlyMap<string, string[]> = new Map()

const notHere = 'is taken with a new record only: write the records of this relation by themselves'
