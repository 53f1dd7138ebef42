import type { Api, DocumentPart } from '../api.js'
import { parameter } from '../schemas/references.js'
import { open, type Operation } from './operation.js'
import { json, responses } from './statuses.js'

/** The document speaks of itself. */
export const openapiInDocument: DocumentPart = { operation: documentOperation }

function documentOperation({ facts }: Api): Operation {
  const isOpen = facts.config.document === 'public'
  const headers = { ETag: { $ref: '#/components/headers/ETag' } }
  return {
    operationId: 'openapi',
    summary: 'Show this document',
    tag: 'health',
    ...(isOpen ? { security: open } : {}),
    parameters: [parameter('If-None-Match')],
    responses: responses(
      {
        200: json('This document.', { type: 'object' }, { headers }),
        304: { description: 'It is as it was.', headers },
      },
      isOpen ? [] : [401],
    ),
  }
}
