import type { Project } from '../project.js'
import type { Rendered } from '../status.js'
import { openapiDocument } from './document.js'
import { emptyOwn } from './own.js'
import { documentPath, ownPath } from './paths.js'

/** The document, and what its developer adds to it. */
export function openapiFiles(project: Project): readonly Rendered[] {
  return [
    { path: documentPath, content: openapiDocument(project), owner: 'svc' },
    { path: ownPath, content: emptyOwn, owner: 'you' },
  ]
}
