import { sentence, worded } from '../../input/messages.js'
import type { Access, Extension, PlannedWrite, Write, WriteSteps } from '../../model/entity.js'
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
  return {
    write: (plan) =>
      plan.isAlong ? null : stepsOf(plan, visibleLinks(plan.access, relations), most),
  }
}

function stepsOf(plan: PlannedWrite, links: readonly ChildLink[], most: number): WriteSteps {
  const shared: WriteSteps = {
    takes: ({ write }) => (isStore(write) ? links.map(({ key }) => key) : []),
    check: ({ write }) => onlyWhenMade(links, write),
    around: async (write) => {
      try {
        return await write()
      } catch (error) {
        throw error instanceof Undone ? await error.answer() : error
      }
    },
  }
  const { access, placeOf } = plan
  const writes = plan.records.map(({ write }) => (isStore(write) ? write : nothingOf(write)))
  const named = links.filter(({ key }) => writes.some(({ body }) => Object.hasOwn(body, key)))
  if (named.length === 0) return shared
  const begin = () => new Batch(access, named, { writes, placeOf, most })
  const checked = new Set<number>()
  let batch = begin()
  return Object.assign({}, shared, {
    check: ({ at, write }) => {
      if (!isStore(write)) return onlyWhenMade(links, write)
      // A request that met others is tried again, from its beginning.
      if (checked.has(at)) {
        batch = begin()
        checked.clear()
      }
      checked.add(at)
      return batch.check(at)
    },
    readOthers: ({ at }) => batch.readOthers(at),
    within: (record) => (isStore(record.write) ? batch.within(record) : null),
    made: ({ at }) => batch.made(at),
  } satisfies WriteSteps)
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
