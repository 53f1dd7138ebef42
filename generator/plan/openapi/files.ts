import type { Project } from '../project.js'
import type { Rendered } from '../status.js'
import { writtenDocument } from './document-thread.js'
import { emptyOwn } from './own.js'
import { documentPath, ownPath } from './paths.js'

/** The document, and what its developer adds to it. */
export async function openapiFiles(project: Project): Promise<readonly Rendered[]> {
  return [
    { path: documentPath, content: await writtenDocument(project), owner: 'svc' },
    { path: ownPath, content: emptyOwn, owner: 'you' },
  ]
}
