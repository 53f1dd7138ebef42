import { camelCase, isReservedVariable, studly } from '../../../blueprint/names/names.js'
import type { Json } from '../../../blueprint/types.js'
import { remark } from '../../../source/literal.js'
import type { Data } from '../../openapi/facts.js'
import { isData } from '../../openapi/own.js'
import { dataIn } from '../../openapi/print.js'
import type { OperationView } from '../function-view.js'
import type { Client } from '../names.js'
import { schemaText, type Spoken } from '../schema-text.js'
import { listOf } from '../type-text.js'

export interface OwnRoutesView {
  /** Functions of `client.ts`. */
  readonly values: readonly string[]
  readonly hasQueries: boolean
  /** Schemas that refer to each other. */
  readonly types: readonly { readonly name: string; readonly text: string }[]
  readonly operations: readonly OperationView[]
}

/** The routes that describe themselves, as the document has them; null: there are none. */
export function ownRoutesView({ api }: Client): OwnRoutesView | null {
  const { described, additions } = api.facts
  if (described === null) return null
  const schemas = dataIn(dataIn(described['components'])['schemas'])
  const typeNames = namesOf(Object.keys(schemas), studlyName, others)
  const spoken = (isSent: boolean): Spoken => ({
    isSent,
    nameOf: (reference) => typeNames.get(reference.replace('#/components/schemas/', '')) ?? null,
  })
  const found = Object.entries(dataIn(described['paths'])).flatMap(([path, item]) =>
    Object.keys(dataIn(item)).map((method) => ({
      path,
      method,
      operation: dataIn(dataIn(dataIn(additions['paths'])[path])[method]),
    })),
  )
  const ids = found.map(({ operation }) => String(operation['operationId']))
  const functionNames = namesOf(ids, variableName, others)
  const operations = found.map((each) =>
    functionOf(each, functionNames.get(String(each.operation['operationId'])) ?? '', spoken),
  )
  return {
    values: ['path', 'request'],
    hasQueries: operations.some(({ call }) => call.includes('queryText(')),
    types: [...typeNames].map(([key, name]) => {
      // An optional member may be `undefined` in requests, and so may an answer's.
      return { name, text: schemaText(schemas[key], spoken(true)) }
    }),
    operations,
  }
}

/** Further functions of a module. */
const others = [
  ...['api', 'body', 'options', 'path', 'query', 'queryText', 'request', 'undefined'],
  ...['Api', 'Options', 'Promise', 'Record', 'Array', 'String', 'Object', 'URLSearchParams'],
]

interface Found {
  readonly path: string
  readonly method: string
  readonly operation: Data
}

function functionOf(
  { path, method, operation }: Found,
  name: string,
  spoken: (isSent: boolean) => Spoken,
): OperationView {
  const all = listOf(operation['parameters']).filter(isData)
  const query = all.filter((each) => each['in'] === 'query')
  const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, id = '']) => id)
  const ids = namesOf(inPath, parameterName, others)
  const body = schemaOf(operation['requestBody'])
  const isAsked = query.some((each) => each['required'] === true)
  const verb = method.toUpperCase()
  const address = path.replaceAll(/\{([^{}]+)\}/g, (_, id: string) => `\${${ids.get(id)}}`)
  const given = [
    `'${verb}'`,
    `path\`${address.replaceAll('`', '\\`')}\`${query.length === 0 ? '' : ' + queryText(query)'}`,
    'options',
    ...(body === undefined ? [] : ['body']),
  ]
  return {
    remark: remark(`${String(operation['summary'])}: \`${verb} ${path}\`.`),
    name,
    generics: '',
    parameters: [
      'api: Api',
      ...[...ids.values()].map((id) => `${id}: string`),
      ...(body === undefined ? [] : [`body: ${schemaText(body, spoken(true))}`]),
      ...(query.length === 0
        ? []
        : [`query: ${queryType(query, spoken(true))}${isAsked ? '' : ' = {}'}`]),
      'options: Options = {}',
    ],
    answer: `Promise<${answerOf(dataIn(operation['responses']), spoken(false))}>`,
    call: `request(api, ${given.join(', ')})`,
  }
}

function queryType(parameters: readonly Data[], spoken: Spoken): string {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema = {} }) => [String(name), schema]),
  )
  const required = parameters.flatMap((each) =>
    each['required'] === true ? [String(each['name'])] : [],
  )
  return schemaText({ type: 'object', properties, required }, spoken)
}

/** Returns the type of every successful answer. */
function answerOf(responses: Data, spoken: Spoken): string {
  const all = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const types = all.map(([, response]) => {
    const schema = schemaOf(response)
    return schema === undefined ? 'void' : schemaText(schema, spoken)
  })
  return types.length === 0 ? 'unknown' : [...new Set(types)].join(' | ')
}

function schemaOf(holder: Json | undefined): Json | undefined {
  return dataIn(dataIn(dataIn(holder)['content'])['application/json'])['schema']
}

/** A name of its own for each, which is none of `taken`. */
function namesOf(
  keys: readonly string[],
  made: (key: string) => string,
  taken: readonly string[],
): ReadonlyMap<string, string> {
  const used = new Set(taken)
  return new Map(
    keys.map((key) => {
      let name = made(key)
      while (used.has(name) || isReservedVariable(name)) name += '_'
      used.add(name)
      return [key, name] as const
    }),
  )
}

/** A name that is a valid variable stays as it is. */
const variableName = (key: string) =>
  /^[A-Za-z]\w*$/.test(key) ? key : `_${camelCase(key).replaceAll(/\W/g, '')}`

/** `userId` of `user-id`. */
const parameterName = (key: string) => {
  const name = /^\w+$/.test(key) ? key : camelCase(key).replaceAll(/\W/g, '')
  return /^[A-Za-z]/.test(name) ? name : `_${name}`
}

/** `Invite` of `postInvite.body.Invite`, and `PostTreeBody` of `postTree.body`. */
const studlyName = (key: string) => {
  const text = studly(key.replaceAll('.', '_')).replaceAll(/\W/g, '')
  return /^[A-Za-z]/.test(text) ? text : `Type${text}`
}
