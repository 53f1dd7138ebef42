import type { DocumentPart } from '../openapi/api.js'
import { languagesOf } from './check.js'

const range = String.raw`(\*|[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*)( *; *q=(0(\.\d{1,3})?|1(\.0{1,3})?))?`

/** As RFC 9110 has it: `it-CH, en;q=0.5`. */
const ranges = `^${range}( *, *${range})*$`

/** Errors that name a field can be in the client's language. */
export const languagesInDocument: DocumentPart = {
  around: (operation) => {
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
          description: `In which language \`message\` and \`errors\` are: ${[...languages].join(', ')}; \`Content-Language\` of the answer says it.`,
          schema: { type: 'string', pattern: ranges },
        },
      },
    }
  },
}
