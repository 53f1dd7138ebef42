import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import type { SvcConfig } from '../../config/server-config.js'
import { BusyError } from '../../database/unavailable.js'
import { callerOf } from '../../http/request.js'
import { answerRecords } from './answer-records.js'
import { apart } from './apart.js'
import type { GraphqlConfig } from './config.js'
import { costOf } from './cost.js'
import { createDocuments } from './documents.js'
import { documentError } from './errors.js'
import { limitError, mostRepeats } from './limits.js'
import { requestRoot } from './request-root.js'
import type { GraphqlContext } from './resolver.js'
import { type OperationInfo, rootSelection } from './selections.js'
import { readVariables, requireFewFields } from './variables.js'
import { namesInherited, withoutPrototype } from './without-prototype.js'

/** The GraphQL request, read from its body or its query string. */
export interface GraphqlRequest {
  readonly query: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>> | null
}

/** An operation that may run. Its variables are coerced, defaults filled in. */
export interface Operation extends OperationInfo {
  readonly document: DocumentNode
  /** As they were sent. */
  readonly variables: GraphqlRequest['variables']
}

export interface Engine {
  /** The operation, or what is wrong with the request itself. */
  prepare(parameters: GraphqlRequest): Operation | readonly GraphQLError[]
  run(operation: Operation, context: GraphqlContext): Promise<ExecutionResult>
}

/** Runs the mutations of one request. */
export type Together = (run: () => Promise<ExecutionResult>) => Promise<ExecutionResult>

export interface EngineOptions {
  readonly config: Pick<SvcConfig, 'limits' | 'pagination'>
  readonly limits: GraphqlConfig['limits']
  readonly mayIntrospect: boolean
  /** True if root fields are answered in turn: on SQLite. */
  readonly takesTurns: boolean
  /** Makes the mutations of one request one write; absent: each is its own. */
  readonly together?: Together | undefined
}

export function createEngine(schema: GraphQLSchema, options: EngineOptions): Engine {
  const { config, limits, mayIntrospect, together } = options
  const { json_depth: values } = config.limits
  const maxPerPage = config.pagination.max_per_page
  const check = createDocuments(schema, { ...limits, values }, mayIntrospect)
  const runOne = createRun(schema, options)
  const isInherited = namesInherited(schema)
  /** Operations without variables: those are the same in every request. */
  const fixed = new WeakMap<OperationDefinitionNode, Operation>()

  return {
    prepare(parameters) {
      const checked = check(parameters.query)
      if (!('document' in checked)) return checked
      const { document, fragments } = checked
      const operation = getOperationAST(document, parameters.operationName)
      if (operation === null || operation === undefined) return [unknownOperation(parameters)]
      const known = fixed.get(operation)
      if (known !== undefined) return known
      const { variableDefinitions = [] } = operation
      const isFixed = variableDefinitions.length === 0
      const sent = isFixed ? null : parameters.variables
      const problem = requireFewFields(schema, variableDefinitions, sent ?? {})
      if (problem !== null) return [problem]
      const variables = sent !== null && isInherited ? withoutPrototype(sent) : sent
      const values = readVariables(schema, variableDefinitions, variables ?? {}, {
        hideSuggestions: !mayIntrospect,
      })
      if ('errors' in values) return values.errors
      const variableValues = values.coerced
      const asked = { schema, document, fragments, operation, variables, variableValues }
      const cost = costOf(asked, maxPerPage)
      if (cost > limits.cost) {
        const message = `The query costs ${cost}, more than ${limits.cost}: ask for fewer records, lists and searches.`
        return [limitError(message, 'cost')]
      }
      if (isFixed) fixed.set(operation, asked)
      return asked
    },
    async run(operation, context) {
      const isMutation = operation.operation.operation === 'mutation'
      const work = () => runOne(operation, context)
      return isMutation && together !== undefined ? together(work) : work()
    },
  }
}

/** A query that found no memory is asked again as a whole, when `Retry-After` says. */
function throwBusy({ errors = [] }: ExecutionResult): void {
  for (const { originalError } of errors)
    if (originalError instanceof BusyError) throw originalError
}

/** Runs one operation, as the schema says; of several mutations each may be null. */
function createRun(schema: GraphQLSchema, { config, takesTurns, together }: EngineOptions) {
  const { related_records, response_bytes } = config.limits
  const most = { maxRelated: related_records, maxResponse: response_bytes }
  let ofSeveral: GraphQLSchema | undefined
  const schemaFor = (operation: Operation): GraphQLSchema => {
    const isOne = operation.operation.operation === 'query' || together !== undefined
    const { length } = isOne ? [] : (rootSelection(operation)?.fields ?? [])
    if (length < 2) return schema
    ofSeveral ??= apart(schema)
    return ofSeveral
  }
  return async (operation: Operation, context: GraphqlContext): Promise<ExecutionResult> => {
    const onlyReads = operation.operation.operation === 'query'
    const rootValue = requestRoot(most, callerOf(context.c, onlyReads), takesTurns)
    const answer =
      (await answerRecords(operation, context, rootValue)) ??
      (await execute({
        schema: schemaFor(operation),
        document: operation.document,
        rootValue,
        operationName: operation.operation.name?.value,
        variableValues: operation.variables,
        contextValue: context,
      }))
    if (onlyReads) throwBusy(answer)
    rootValue.budget.checkSize(answer.data, mostRepeats(operation.document))
    return answer
  }
}

function unknownOperation({ operationName }: GraphqlRequest): GraphQLError {
  const message =
    operationName === null
      ? 'The document has several operations, and operationName names none.'
      : 'The document has no operation of that name.'
  return documentError(message, 'OPERATION_UNKNOWN')
}
