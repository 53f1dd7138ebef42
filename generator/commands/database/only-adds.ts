import { statementsOf } from '../../migrations/sql/own-statements.js'

/**
 * Returns true if a server that knows nothing of these statements goes on as before: what it reads
 * and writes is still there.
 */
export const onlyAdds = (sql: string) =>
  statementsOf(sql).every((text) => adds.test(text) && !changes.test(flat(text)))

const adds =
  /^(?:CREATE (?:TABLE|TYPE|SEQUENCE|(?:UNIQUE )?INDEX)\b|ALTER TABLE [^ ]+ ADD (?:COLUMN|CONSTRAINT)\b)/

/** `DECIMAL(10,2)` has a comma that parts nothing. */
function flat(text: string): string {
  const less = text.replaceAll(/\([^()]*\)/g, '')
  return less === text ? text : flat(less)
}

/** An `ALTER TABLE` may do several things. */
const changes =
  /\b(?:DROP|RENAME|ALTER) (?!TABLE )|\bADD COLUMN[^,]*\bNOT NULL\b(?![^,]*\bDEFAULT\b)/
