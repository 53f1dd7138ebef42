import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql'
import type { GraphqlConfig } from './config.js'
import { documentError } from './errors.js'
import { type DocumentLimits, documentProblem, refused } from './limits.js'
import { createRemembered } from './document-cache.js'

/** A document that may be executed, and what was found out about it. */
export interface Checked {
  readonly document: DocumentNode
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
}

/** Parses, limits and validates; what passed is remembered by its text. */
export function createDocuments(
  schema: GraphQLSchema,
  limits: GraphqlConfig['limits'] & DocumentLimits,
  mayIntrospect: boolean,
): (text: string) => Checked | readonly GraphQLError[] {
  const remembered = createRemembered<Checked>(limits.documents)
  const rules = mayIntrospect
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  const check = (text: string): Checked => {
    const document = parsed(text, limits.tokens)
    const problem = documentProblem(document, limits)
    if (problem !== null) throw new Invalid([problem])
    const errors = validate(schema, document, rules, { maxErrors: 20 })
    if (errors.length > 0) throw new Invalid(mayIntrospect ? errors : errors.map(withoutHints))
    dropTokens(document)
    return { document, fragments: fragmentsOf(document) }
  }
  return (text) => {
    try {
      return remembered.get(text, () => check(text))
    } catch (error) {
      if (error instanceof Invalid) return error.errors
      throw error
    }
  }
}

class Invalid extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super('the document is not valid')
  }
}

function parsed(text: string, maxTokens: number): DocumentNode {
  try {
    return parse(text, { maxTokens })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    if (/tokens. Parsing aborted/.test(error.message)) {
      throw new Invalid([refused(`The query has more than ${maxTokens} tokens.`, 'tokens')])
    }
    error.extensions['code'] = 'GRAPHQL_PARSE_FAILED'
    throw new Invalid([error])
  }
}

/** Errors need to know where nodes begin; the chain of all tokens would only fill the memory. */
function dropTokens(document: DocumentNode): void {
  const drop = (node: ASTNode) => {
    const { start = 0, end = 0, source } = node.loc ?? {}
    // What graphql-js reads of a place to tell where an error is.
    if (source !== undefined) Object.assign(node, { loc: { start, end, source } })
  }
  visit(document, { enter: drop })
}

function fragmentsOf(document: DocumentNode): Checked['fragments'] {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments[definition.name.value] = definition
    }
  }
  return fragments
}

/** Where the schema is not told, its names are not suggested either. */
export const withoutHint = (message: string): string =>
  message.replace(/ ?Did you mean [^?]+\?/, '')

function withoutHints(error: GraphQLError): GraphQLError {
  const message = withoutHint(error.message)
  const { locations } = error.toJSON()
  const plain = documentError(message, 'GRAPHQL_VALIDATION_FAILED')
  return locations === undefined ? plain : Object.assign(plain, { locations })
}
