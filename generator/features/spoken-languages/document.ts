import type { DocumentPart } from '../openapi/api.js'
import { languagesOf } from './check.js'

/** What says which field is wrong says it in a language. */
export const languagesInDocument: DocumentPart = {
  around: (operation) => {
    if (operation.responses.invalid === undefined) return operation
    const { parameters = [], ...rest } = operation
    return {
      ...rest,
      parameters: [...parameters, { $ref: '#/components/parameters/AcceptLanguage' }],
    }
  },
  components: ({ project }) => {
    const languages = new Set(['en', ...languagesOf(project.blueprint)])
    return {
      parameters: {
        AcceptLanguage: {
          name: 'Accept-Language',
          in: 'header',
          description: `In which language \`errors\` are: ${[...languages].join(', ')}; \`Content-Language\` of the answer says it.`,
          schema: { type: 'string', pattern: '^[a-z]{2}(-[A-Z]{2})?$' },
        },
      },
    }
  },
}
