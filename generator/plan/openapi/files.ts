import type { Project } from '../project.js'
import type { Rendered } from '../status.js'
import { openapiDocument } from './document.js'
import { emptyOwn } from './own.js'

export const documentPath = 'app/OpenApi/openapi.json'
export const ownPath = 'app/OpenApi/own.json'

/** The document and what its developer adds to it, where the manifest asks for one. */
export function openapiFiles(project: Project): readonly Rendered[] {
  if (project.blueprint.openapi !== true) return []
  return [
    { path: documentPath, content: openapiDocument(project), owner: 'svc' },
    { path: ownPath, content: emptyOwn, owner: 'you' },
  ]
}
