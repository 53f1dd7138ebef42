/** Asks an emitted server's GraphQL endpoint as a client does. */
import type { Answer, Project } from '../../support/project.js'

export interface Asked extends Answer {
  /** Of the token that came along, none; the others in their order. */
  readonly sql: readonly string[]
}

export async function ask(
  project: Project,
  query: string,
  { as, variables }: { as?: number | undefined; variables?: Record<string, unknown> } = {},
): Promise<Asked> {
  const answer = await project.post('/graphql', { query, variables }, as)
  const sql = answer.statements
    .map((statement) => statement.sql)
    .filter((text) => !text.includes('personal_access_tokens'))
  return { ...answer, sql }
}

/** What the errors of an answer are called. */
export const codes = ({ body }: Answer): readonly string[] =>
  (body.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code)
