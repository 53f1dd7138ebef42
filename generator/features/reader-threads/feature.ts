import type { Feature } from '../../write/feature.js'
import { onByDefault } from '../a-switch.js'

export const readerThreads: Feature = {
  name: 'readerThreads',
  check: {
    ...onByDefault('readerThreads'),
    // PostgreSQL has processes for that: the option may stay when the database changes.
    facts: ({ readerThreads, database }) =>
      readerThreads !== false && database === 'sqlite' ? true : undefined,
  },
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
