import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { createPlanCache } from '../kernel/plan.js'
import type { GraphqlConfig } from './config.js'
import { documentError } from './errors.js'
import { documentProblem, refused } from './limits.js'

/** A document that may be executed, and what was found out about it. */
export interface Checked {
  readonly document: DocumentNode
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
}

/** Longer texts are read each time: remembering them would let callers fill the memory. */
const longestRemembered = 10_000

/** Parses, limits and validates; what passed is remembered by its text. */
export function createDocuments(
  schema: GraphQLSchema,
  limits: GraphqlConfig['limits'],
  mayIntrospect: boolean,
): (text: string) => Checked | readonly GraphQLError[] {
  const cache = createPlanCache(limits.documents)
  const rules = mayIntrospect
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  const check = (text: string): Checked => {
    const document = parsed(text, limits.tokens)
    const problem = documentProblem(document, limits)
    if (problem !== null) throw new Invalid([problem])
    const errors = validate(schema, document, rules, { maxErrors: 20 })
    if (errors.length > 0) throw new Invalid(mayIntrospect ? errors : errors.map(withoutHints))
    return { document, fragments: fragmentsOf(document) }
  }
  return (text) => {
    try {
      if (text.length > longestRemembered) return check(text)
      return cache.get(text, () => check(text))
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
function withoutHints(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ ?Did you mean [^?]+\?/, '')
  const { locations } = error.toJSON()
  const plain = documentError(message, 'GRAPHQL_VALIDATION_FAILED')
  return locations === undefined ? plain : Object.assign(plain, { locations })
}
