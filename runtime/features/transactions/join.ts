import type { Kysely } from 'kysely'
import { asPart } from '../../database/part.js'
import type { Database, Statement } from '../../database/types.js'
import { UnavailableError } from '../../database/unavailable.js'
import { current, type Current, opened, outside } from './current.js'
import { guarded } from './guarded.js'

interface Limits {
  readonly transaction_ms: number
}

/** A database that `app/database.ts` opened. */
interface Opened extends Database {
  kysely<Tables>(options?: never): Kysely<Tables>
}

/**
 * Lets repositories join a transaction that is open: what they read and write in it runs on its
 * connection. Code in a hook that would leave its transaction is refused. A transaction ends after
 * `limits.transaction_ms`: 503.
 */
export function joinTransactions(given: Opened, { transaction_ms: most }: Limits): void {
  const { query, transaction, kysely } = given
  const joined: Pick<Database, 'query' | 'transaction' | 'committed' | 'lasting'> = {
    query: (statement, parameters, caller) => {
      const inside = current.getStore()
      if (inside === undefined) return query(statement, parameters, caller)
      if (!inside.isOpen) return Promise.reject(outside(inside, 'a repository'))
      const send = () => inside.connection.query(statement, parameters)
      return mustBeApart(statement, inside) ? apart(inside, send) : send()
    },
    transaction: (work) => {
      const inside = current.getStore()
      if (inside === undefined) return transaction((on) => inTime(most, () => work(on)))
      if (!inside.isOpen) return Promise.reject(outside(inside, 'a repository'))
      return apart(inside, () => work(inside.connection))
    },
    committed: async (work) => {
      const inside = current.getStore()
      if (inside === undefined) await work()
      else inside.later.push(() => current.exit(work))
    },
    lasting: (work) => {
      const inside = current.getStore()
      if (inside === undefined) return work()
      if (inside.connection.dialect === 'postgresql') return current.exit(work)
      // SQLite has one writer, which the transaction is.
      inside.undone.push(work)
      return opened(inside, work)
    },
  }
  Object.assign(given, joined, {
    kysely: (options?: never) => guarded(kysely(options), options),
  })
}

/** PostgreSQL takes nothing more in a transaction in which a statement failed. */
const mustBeApart = ({ access }: Statement, { connection }: Current): boolean =>
  access === 'write' && connection.dialect === 'postgresql'

/** A part that is undone alone when it fails: who called may go on. */
function apart<Done>(inside: Current, work: () => Promise<Done>): Promise<Done> {
  return inside.turns.run(async () => {
    const { connection, later, undone } = inside
    const [followed, lasted] = [later.length, undone.length]
    try {
      return await asPart(connection, 'part', () => opened(inside, work))
    } catch (error) {
      later.length = followed
      for (const again of undone.slice(lasted)) await opened(inside, again)
      throw error
    }
  })
}

async function inTime<Done>(ms: number, work: () => Promise<Done>): Promise<Done> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UnavailableError(tooLong(ms))), ms)
  })
  return Promise.race([work(), late]).finally(() => clearTimeout(timer))
}

const tooLong = (ms: number) =>
  `A transaction was open for ${ms} ms (limits.transaction_ms) and is rolled back: do what takes long ` +
  'before it or in an after-hook.'
