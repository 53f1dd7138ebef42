import Module, { createRequire } from 'node:module'
import type Driver from 'better-sqlite3'

const require = createRequire(import.meta.url)

/**
 * better-sqlite3 as this Node takes it. Version 13 needs Node-API 10 (Node 22.14) and brings a
 * binary for the usual platforms; everywhere else it is version 12, which crashes Node 24.19 and
 * later when the garbage collector meets one of its statements.
 */
export const SqliteDriver: typeof Driver = modern() ?? require('better-sqlite3')

function modern(): typeof Driver | null {
  if (Number(process.versions['napi']) < 10) return null
  try {
    const driver: typeof Driver = require('better-sqlite3-napi')
    new driver(':memory:').close()
    return driver
  } catch {
    // Not installed (it is optional), or no binary for this platform.
    return null
  }
}

/**
 * A package that asks for `better-sqlite3` itself, Prisma's adapter say, with the driver of this
 * file: two builds of SQLite in one process would lose each other's locks on a database.
 */
export function requireWithDriver(name: string): unknown {
  const asked = createRequire(require.resolve(name)).resolve('better-sqlite3')
  const module = new Module(asked)
  Object.assign(module, { exports: SqliteDriver, loaded: true })
  require.cache[asked] = module
  return require(name)
}
