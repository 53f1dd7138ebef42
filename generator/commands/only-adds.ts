import { statementsOf } from '../plan/prisma/own-statements.js'

/** Whether a server that knows nothing of these statements goes on as before: what it reads and writes is still there. */
export const onlyAdds = (sql: string) => statementsOf(sql).every((text) => adds.test(text))

const adds =
  /^(?:CREATE (?:TABLE|TYPE|SEQUENCE|(?:UNIQUE )?INDEX)\b|ALTER TABLE [^ ]+ ADD (?:COLUMN|CONSTRAINT)\b(?![^]*\bNOT NULL\b(?![^]*\bDEFAULT\b)))/
