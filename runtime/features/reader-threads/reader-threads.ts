import type { OpenLongReads } from '../../database/sqlite/connection.js'
import { LongStatements } from './long-statements.js'
import { Threads } from './threads.js'
import { isTotal, Totals } from './totals.js'

/**
 * Statements that go through a large table run on threads, each with a connection of its own, so
 * that others are served meanwhile. Everything else stays where it was: a lookup takes less than
 * the way to a thread and back. The first long statement starts the first thread.
 *
 * Each statement sees what was committed when it began, so a request that wrote reads what it
 * wrote. A page and its total are two statements, and what is written between them is in one of the
 * two, as on PostgreSQL.
 */
export const readerThreads: OpenLongReads = (file, reader) => {
  const threads = new Threads(file, reader.limits)
  const statements = new LongStatements(reader.handle)
  const totals = new Totals(reader.handle)
  return {
    query: (sql, parameters, caller) => {
      const found = statements.find(sql, parameters)
      if (found !== null) {
        return totals.of(sql, parameters, () => threads.query(found, parameters, caller))
      }
      if (!isTotal(sql)) return null
      const read = async () => reader.answer({ sql, access: 'read' }, parameters, caller)
      return totals.of(sql, parameters, read)
    },
    close: () => threads.close(),
  }
}
