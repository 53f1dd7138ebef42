import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import type { GraphqlConfig } from './config.js'
import {
  type DocumentLimits,
  documentProblem,
  type Fragments,
  fragmentsOf,
  limitError,
} from './limits.js'

/** A document that may be executed. */
export interface ValidDocument {
  readonly document: DocumentNode
  readonly fragments: Fragments
}

type CheckedDocument = ValidDocument | readonly GraphQLError[]

/** Characters of one remembered text, and of all; a document takes about fifty times its text. */
const textLimits = { maxEntrySize: 10_000, maxSize: 500_000 }

/** Parses, limits and validates; what passed is remembered by its text, the last used ones. */
export function createDocuments(
  schema: GraphQLSchema,
  limits: GraphqlConfig['limits'] & DocumentLimits,
  mayIntrospect: boolean,
): (text: string) => CheckedDocument {
  const rules = mayIntrospect
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  const known = new LRUCache<string, ValidDocument>({
    ...textLimits,
    max: limits.documents,
    sizeCalculation: (_valid, text) => text.length,
  })

  const check = (text: string): CheckedDocument => {
    const document = parsed(text, limits.tokens)
    if (document instanceof GraphQLError) return [document]
    const problem = documentProblem(document, limits)
    if (problem !== null) return [problem]
    // Names are not suggested either, where clients may not ask for the schema.
    const options = { maxErrors: 20, hideSuggestions: !mayIntrospect }
    const errors = validate(schema, document, rules, options)
    if (errors.length > 0) return errors
    dropTokens(document)
    return { document, fragments: fragmentsOf(document) }
  }

  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    try {
      const checked = check(text)
      if ('document' in checked) known.set(text, checked)
      return checked
    } catch (error) {
      // graphql-js goes calls deeper for each level of a document, and knows no limit but the stack.
      if (!(error instanceof RangeError)) throw error
      return [limitError('The query is nested too deep.', 'depth')]
    }
  }
}

function parsed(text: string, maxTokens: number): DocumentNode | GraphQLError {
  try {
    return parse(text, { maxTokens })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    if (/tokens. Parsing aborted/.test(error.message)) {
      return limitError(`The query has more than ${maxTokens} tokens.`, 'tokens')
    }
    error.extensions['code'] = 'GRAPHQL_PARSE_FAILED'
    return error
  }
}

/** Errors need to know where nodes begin; the chain of all tokens would only fill the memory. */
function dropTokens(document: DocumentNode): void {
  const drop = (node: ASTNode) => {
    const { start = 0, end = 0, source } = node.loc ?? {}
    // graphql-js reads these members of a place to say where an error is.
    if (source !== undefined) Object.assign(node, { loc: { start, end, source } })
  }
  visit(document, { enter: drop })
}
