import type { Feature } from '../feature.js'

export const readerThreads: Feature = {
  name: 'readerThreads',
  isUsual: ({ database, isExisting }) => database === 'sqlite' && !isExisting,
  slots: () => ({
    sqlite_imports: [
      "import { readerThreads } from '#runtime/features/reader-threads/reader-threads.js'",
    ],
    sqlite_remark: ['threads for what goes through a large table.'],
    sqlite_options: ['longReads: readerThreads,'],
  }),
}
