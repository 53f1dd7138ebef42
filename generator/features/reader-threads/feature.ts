import type { Feature } from '../../write/feature.js'
import { readerThreadsCheck } from './check.js'

export const readerThreads: Feature = {
  name: 'readerThreads',
  check: readerThreadsCheck,
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
