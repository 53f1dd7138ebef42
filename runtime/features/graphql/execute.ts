import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  type FragmentDefinitionNode,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import type { GraphqlConfig } from './config.js'
import { costOf } from './cost.js'
import { type Checked, createDocuments, withoutHint } from './documents.js'
import { documentError } from './errors.js'
import { fastQuery, type FastQuery, runFast } from './answer-records.js'
import { refused } from './limits.js'
import type { GraphqlContext } from './resolver.js'
import { requestRoot } from './root.js'

/** What a request asks for, read from its body or its query string. */
export interface Parameters {
  readonly query: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>> | null
}

/** An operation that may run. */
export interface Prepared {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly operation: OperationDefinitionNode
  /** Coerced, defaults filled in. */
  readonly variableValues: { readonly [name: string]: unknown }
  readonly parameters: Parameters
}

export interface Engine {
  /** The operation, or what is wrong with the request itself. */
  prepare(parameters: Parameters): Prepared | readonly GraphQLError[]
  run(prepared: Prepared, context: GraphqlContext): Promise<ExecutionResult>
}

export interface EngineOptions {
  readonly limits: GraphqlConfig['limits']
  readonly mayIntrospect: boolean
  readonly maxPerPage: number
  /** Related records that one request may place. */
  readonly maxRelated: number
  /** Levels of a JSON value. */
  readonly maxValueDepth: number
}

/** What was found out about operations; it lives as long as their documents do. */
interface Remembered {
  readonly fast: FastQuery | null
  readonly cost: number
}

export function createEngine(schema: GraphQLSchema, options: EngineOptions): Engine {
  const { limits, mayIntrospect, maxPerPage, maxRelated, maxValueDepth } = options
  const check = createDocuments(schema, { ...limits, values: maxValueDepth }, mayIntrospect)
  const remembered = new WeakMap<OperationDefinitionNode, Remembered>()

  const lookAt = (prepared: Prepared): Remembered => {
    const known = remembered.get(prepared.operation)
    if (known !== undefined) return known
    const found = { fast: fastQuery(prepared), cost: costOf({ ...prepared, maxPerPage }) }
    remembered.set(prepared.operation, found)
    return found
  }

  return {
    prepare(parameters) {
      const checked = check(parameters.query)
      if (!('document' in checked)) return checked
      const prepared = prepareOperation(schema, checked, parameters, mayIntrospect)
      if (!('operation' in prepared)) return prepared
      const isFixed = (prepared.operation.variableDefinitions ?? []).length === 0
      const cost = isFixed ? lookAt(prepared).cost : costOf({ ...prepared, maxPerPage })
      if (cost <= limits.cost) return prepared
      return [refused(`The query could answer ${cost} records, more than ${limits.cost}.`, 'cost')]
    },
    async run(prepared, context) {
      const { fast, cost } = lookAt(prepared)
      const rootValue = requestRoot(maxRelated)
      const answer = fast === null ? null : await runFast(fast, prepared, context, rootValue)
      if (answer !== null) return answer
      if (fast !== null) remembered.set(prepared.operation, { fast: null, cost })
      const { document, parameters } = prepared
      return execute({
        schema,
        document,
        rootValue,
        operationName: parameters.operationName,
        variableValues: parameters.variables,
        contextValue: context,
      })
    },
  }
}

function prepareOperation(
  schema: GraphQLSchema,
  { document, fragments }: Checked,
  parameters: Parameters,
  mayIntrospect: boolean,
): Prepared | readonly GraphQLError[] {
  const operation = getOperationAST(document, parameters.operationName)
  if (operation === null || operation === undefined) return [unknownOperation(parameters)]
  const { variableDefinitions = [] } = operation
  const values = getVariableValues(schema, variableDefinitions, parameters.variables ?? {}, {
    maxErrors: 20,
  })
  if (values.errors !== undefined) {
    return values.errors.map((error) => badVariable(error, mayIntrospect))
  }
  const variableValues = values.coerced
  return { schema, document, fragments, operation, variableValues, parameters }
}

function unknownOperation({ operationName }: Parameters): GraphQLError {
  const message =
    operationName === null
      ? 'The document has several operations, and operationName names none.'
      : 'The document has no operation of that name.'
  return documentError(message, 'OPERATION_UNKNOWN')
}

/** What is wrong with a variable, without the value: that may hold a password. */
function badVariable(error: GraphQLError, mayIntrospect: boolean): GraphQLError {
  const { originalError, message } = error
  const why = originalError?.message ?? message
  const head = message.slice(0, -why.length)
  const [name] = /^Variable "\$\w+"/.exec(message) ?? []
  const [place = ''] = / at "[^"]*"(?=; $)/.exec(head) ?? []
  const plain = why.replace(/( value): .*$/s, '$1.')
  const text = head === '' || name === undefined ? plain : `${name} is wrong${place}: ${plain}`
  return documentError(mayIntrospect ? text : withoutHint(text), 'BAD_USER_INPUT')
}
