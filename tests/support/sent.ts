import type { Parameter, Statement } from '../../runtime/database/types.js'
import type { Answer, Project } from './project.js'

export type Sent = readonly [Statement, readonly Parameter[]]

/** The answer to a request, and the statements that it took with their values, as they were sent. */
export async function sentBy(
  { database }: Pick<Project, 'database'>,
  request: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly statements: readonly Sent[] }> {
  const statements: Sent[] = []
  const query = database.query.bind(database)
  Object.assign(database, {
    query: (statement: Statement, parameters: readonly Parameter[]) => {
      statements.push([statement, parameters])
      return query(statement, parameters)
    },
  })
  const answer = await request().finally(() => Object.assign(database, { query }))
  return { answer, statements }
}
