import type { Kysely, KyselyPlugin } from 'kysely'
import type { Connection } from '../../database/types.js'
import { current, outside } from './current.js'

type Db = Kysely<unknown>

/** Makes the same Kysely over the connection of a transaction. */
type Bind = (connection: InTransaction) => Db

/** The connection of `Database.transaction`. */
interface InTransaction extends Connection {
  readonly kyselyInside: (options: object | undefined) => Db
}

const bindings = new WeakMap<object, Bind>()

/**
 * `db` as code of yours has it: refused at once in a hook inside a transaction, for which it would
 * wait, or whose rows it would not see. Where mutations are together, it is part of theirs.
 */
export function guarded<Tables>(db: Kysely<Tables>, options: object | undefined): Kysely<Tables> {
  // The caller types the bound object.
  return wrap(db as unknown as Db, (on) => on.kyselyInside(options)) as unknown as Kysely<Tables>
}

function wrap(db: Db, bind: Bind): Db {
  const proxy = new Proxy(db, {
    get: (target, key) => {
      const now = allowed(target, bind)
      if (key === 'withPlugin') {
        return (plugin: KyselyPlugin) =>
          wrap(target.withPlugin(plugin), (on) => bind(on).withPlugin(plugin))
      }
      const value: unknown = Reflect.get(now, key, now)
      // Kysely keeps its state in private members, which a proxy has not.
      return typeof value === 'function' ? (value.bind(now) as unknown) : value
    },
  })
  bindings.set(proxy, bind)
  return proxy
}

function allowed(db: Db, bind: Bind): Db {
  const inside = current.getStore()
  if (inside === undefined) return db
  if (!inside.isOpen) throw outside(inside, '`db`')
  return bind(inside.connection as InTransaction)
}

/** `db` on the connection of a transaction. */
export function boundTo<Db extends object>(db: Db, connection: Connection): Db {
  const bind = bindings.get(db)
  if (bind === undefined)
    throw new TypeError(
      "`db` joins no transaction: say hooks: 'inside' in a repository, or mutations: 'together'",
    )
  // `wrap` made both of the same tables.
  return bind(connection as InTransaction) as unknown as Db
}

/** Prisma has connections of its own: refused inside every transaction. */
export function outsideTransactions<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get: (target, key) => {
      const inside = current.getStore()
      if (inside !== undefined && typeof key === 'string' && key !== 'then') {
        throw outside(inside, '`prisma`')
      }
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' && key === '$transaction'
        ? (value.bind(target) as unknown)
        : value
    },
  })
}
