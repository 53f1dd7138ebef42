import { ProblemsError } from '../../blueprint/problems-error.js'
import type { Project } from '../../plan/project.js'
import type { Rendered } from '../../plan/status.js'
import { describedClashes } from './described-clashes.js'
import { writtenDocument } from './document-thread.js'
import { documentPath, ownPath } from './operations/paths.js'
import { emptyOwn } from './own.js'

/** The document, and what its developer adds to it. */
export async function openapiFiles(project: Project): Promise<readonly Rendered[]> {
  const content = await writtenDocument(project)
  const { openapi } = project.facts
  const problems = openapi === undefined ? [] : describedClashes(openapi, content)
  if (problems.length > 0) throw new ProblemsError(problems)
  return [
    { path: documentPath, content, owner: 'svc' },
    { path: ownPath, content: emptyOwn, owner: 'you' },
  ]
}
