import { dataIn, isData, listIn, type Data, type Resolve } from './schema.js'

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly schema: Data
  readonly required?: boolean
  /** `deepObject`: each member is a parameter of its own. */
  readonly style?: string
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Schema of the body; null: it takes none. */
  readonly body: Data | null
  readonly answers: Answers
}

/** By status: where the document has the schema of the answer; null: it has no body. */
type Answers = ReadonlyMap<number, string | null>

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** Every operation of a document. */
export function operationsOf(document: Data, resolve: Resolve): readonly Operation[] {
  return Object.entries(dataIn(document['paths'])).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = dataIn(item)[method]
      if (!isData(operation)) return []
      const content = dataIn(dataIn(operation['requestBody'])['content'])
      const body = dataIn(content['application/json'])['schema']
      const shared = listIn(dataIn(item)['parameters'])
      return {
        id: String(operation['operationId']),
        method: method.toUpperCase(),
        path,
        parameters: parametersOf([...shared, ...listIn(operation['parameters'])], resolve),
        body: isData(body) ? body : null,
        answers: answersOf(
          dataIn(operation['responses']),
          `#/paths/${escaped(path)}/${method}/responses`,
          resolve,
        ),
      }
    }),
  )
}

function parametersOf(all: readonly unknown[], resolve: Resolve): readonly Parameter[] {
  return all.map((each) => {
    const parameter = resolve(dataIn(each))
    const schema = resolve(dataIn(parameter['schema']))
    // The document has name, place and schema of each.
    return { ...parameter, schema } as unknown as Parameter
  })
}

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

function answersOf(responses: Data, at: string, resolve: Resolve): Answers {
  return new Map(
    Object.entries(responses).map(([status, response]) => {
      const { $ref: ref } = dataIn(response)
      const hasBody = isData(resolve(dataIn(response))['content'])
      const from = typeof ref === 'string' ? ref : `${at}/${status}`
      return [Number(status), hasBody ? `${from}/content/application~1json/schema` : null]
    }),
  )
}
