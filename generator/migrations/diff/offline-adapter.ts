import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'

const nothing = { columnTypes: [], columnNames: [], rows: [] }

const connection = {
  provider: 'sqlite',
  adapterName: 'offline',
  queryRaw: async () => nothing,
  executeRaw: async () => 0,
  executeScript: async () => {},
  startTransaction: () => Promise.reject(new Error('no database here')),
  dispose: async () => {},
  getConnectionInfo: () => ({ supportsRelationJoins: false }),
} as const

const factory: SqlMigrationAwareDriverAdapterFactory = {
  provider: 'sqlite',
  adapterName: 'offline',
  connect: async () => connection,
  connectToShadowDb: async () => connection,
}

/**
 * The engine wants a database even where it reads none: comparing two schemas. This one is empty. It says `sqlite` for every
 * schema, because only then does the engine ask it nothing; the SQL follows the schema's own provider.
 */
export const offlineAdapter = () => bindMigrationAwareSqlAdapterFactory(factory)
