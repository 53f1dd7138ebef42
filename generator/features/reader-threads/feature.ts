import type { Feature } from '../feature.js'

export const readerThreads: Feature = {
  name: 'readerThreads',
  isUsual: ({ database, isExisting }) => database === 'sqlite' && !isExisting,
  slots: ({ isSqlite }) => (isSqlite ? lines : {}),
}

const lines = {
  imports: {
    'app/database.ts': [
      { from: '#runtime/features/reader-threads/reader-threads.js', names: ['readerThreads'] },
    ],
  },
  sqlite_remark: ['threads for what goes through a large table.'],
  sqlite_options: ['longReads: readerThreads,'],
}
