import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import type { SvcConfig } from '../../config/server-config.js'
import { answerRecords } from './answer-records.js'
import type { GraphqlConfig } from './config.js'
import { costOf } from './cost.js'
import { createDocuments, withoutHint } from './documents.js'
import { documentError } from './errors.js'
import { limitError } from './limits.js'
import { requestRoot } from './request-root.js'
import type { GraphqlContext } from './resolver.js'
import type { Scope } from './selections.js'

/** What a request asks for, read from its body or its query string. */
export interface Parameters {
  readonly query: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>> | null
}

/** An operation that may run. Its variables are coerced, defaults filled in. */
export interface Operation extends Scope {
  readonly document: DocumentNode
  readonly parameters: Parameters
}

export interface Engine {
  /** The operation, or what is wrong with the request itself. */
  prepare(parameters: Parameters): Operation | readonly GraphQLError[]
  run(operation: Operation, context: GraphqlContext): Promise<ExecutionResult>
}

export interface EngineOptions {
  readonly config: Pick<SvcConfig, 'limits' | 'pagination'>
  readonly limits: GraphqlConfig['limits']
  readonly mayIntrospect: boolean
}

export function createEngine(schema: GraphQLSchema, options: EngineOptions): Engine {
  const { config, limits, mayIntrospect } = options
  const { json_depth: values, related_records: maxRelated } = config.limits
  const maxPerPage = config.pagination.max_per_page
  const check = createDocuments(schema, { ...limits, values }, mayIntrospect)
  /** Of operations without variables: it is always the same. */
  const costs = new WeakMap<OperationDefinitionNode, number>()

  return {
    prepare(parameters) {
      const checked = check(parameters.query)
      if (!('document' in checked)) return checked
      const { document, fragments } = checked
      const operation = getOperationAST(document, parameters.operationName)
      if (operation === null || operation === undefined) return [unknownOperation(parameters)]
      const { variableDefinitions = [] } = operation
      const values = getVariableValues(schema, variableDefinitions, parameters.variables ?? {}, {
        maxErrors: 20,
      })
      if (values.errors !== undefined) {
        return values.errors.map((error) => badVariable(error, mayIntrospect))
      }
      const scope = { schema, fragments, operation, variableValues: values.coerced }
      const cost = costs.get(operation) ?? costOf(scope, maxPerPage)
      if (variableDefinitions.length === 0) costs.set(operation, cost)
      if (cost <= limits.cost) return Object.assign(scope, { document, parameters })
      return [
        limitError(`The query could answer ${cost} records, more than ${limits.cost}.`, 'cost'),
      ]
    },
    async run(operation, context) {
      const rootValue = requestRoot(maxRelated)
      const answer = await answerRecords(operation, context, rootValue)
      if (answer !== null) return answer
      const { document, parameters } = operation
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
