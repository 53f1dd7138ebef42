import type { Entity } from '../../blueprint/types.js'
import { isShown } from '../../plan/views/repository.js'
import type { Feature } from '../../write/feature.js'
import type { ClientPart } from '../client/names.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { readBy } from '../openapi/operations/related-operations.js'
import { parameter } from '../openapi/schemas/references.js'
import { isReadOf } from '../reads/check.js'
import { hasRead, isReadIn } from '../reads/feature.js'
import { sparseRead } from './words.js'

export const sparse: Feature = {
  name: 'sparse',
  isOn: (project) => isReadIn(project, 'sparse'),
  entitySlots: (entity, project) =>
    hasRead(entity, project, 'sparse')
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: '#runtime/features/sparse/sparse.js', names: ['sparse'] },
            ],
          },
          repository_extensions: ['sparse'],
        }
      : {},
  has: (entity, blueprint) =>
    isReadOf(blueprint, entity, 'sparse') ? 'answers with some fields (fields=)' : null,
  client: async () => sparseInClient,
  document: async () => sparseInDocument,
}

const sparseInClient: ClientPart = {
  reading: (client, entity) => {
    if (!hasRead(entity, client.api.project, 'sparse')) return null
    const all = `keyof ${client.name(entity)}Attributes`
    return {
      generic: `const Field extends ${all} = ${all}`,
      query: 'FieldsQuery<Field>',
      record: (record) => `Sparse<${record}, Field>`,
    }
  },
  readingTypes: {
    FieldsQuery: `/** Attributes of an answer; all by default. */
export interface FieldsQuery<Field> {
  readonly fields?: readonly Field[] | undefined
}`,
    Sparse: `/** A record with some of its attributes. */
export type Sparse<Record extends { attributes: object }, Field> = Omit<Record, 'attributes'> & {
  attributes: Pick<Record['attributes'], Field & keyof Record['attributes']>
}`,
  },
}

const isSparse = (api: Api, entity: Entity) => hasRead(entity, api.project, 'sparse')

const sparseInDocument: DocumentPart = {
  says: '`fields=title,price` answers with some attributes, `fields[users]=name` of records that are included.',
  mayLack: isSparse,
  takes: (api, entity) => (isSparse(api, entity) ? sparseRead.parameters : []),
  around: (operation, route, api) => {
    const targets = readBy(api, route)
    const own = targets.filter((entity) => isSparse(api, entity))
    if (own.length === 0) return operation
    const parameters = [fieldsOfAny(api, own), ...fieldsOfIncluded(api, own)]
    return { ...operation, parameters: [...(operation.parameters ?? []), ...parameters] }
  },
  componentsOf: (api, entity) => {
    const name = api.prefix(entity)
    return {
      parameters: {
        [`${name}.fields`]: fields([entity]),
        [`${name}.fieldsOf`]: listed(`fields[${entity.key}]`, [entity], included(entity)),
      },
    }
  },
}

function fieldsOfAny(api: Api, entities: readonly Entity[]): Data {
  const [only, ...others] = entities
  if (only === undefined || others.length > 0) return fields(entities)
  return parameter(`${api.prefix(only)}.fields`)
}

const fields = (entities: readonly Entity[]): Data =>
  listed('fields', entities, 'Attributes to show; all unless it is sent.')

const included = ({ plural }: Entity) =>
  `Attributes to show of ${plural}, wherever they are in the answer.`

/**
 * Lists the parameters of repositories that can be included directly; deeper ones have parameters
 * of their own operations.
 */
function fieldsOfIncluded(api: Api, entities: readonly Entity[]): readonly Data[] {
  const keys = entities.flatMap(({ relations, morphs = [] }) => [
    ...relations.map(({ target }) => target),
    ...morphs.flatMap(({ targets }) => targets),
  ])
  return [...new Set(keys)].map((key) =>
    parameter(`${api.prefix(api.project.entity(key))}.fieldsOf`),
  )
}

function listed(name: string, entities: readonly Entity[], description: string): Data {
  const names = entities.flatMap(({ columns }) => columns.filter(isShown).map((each) => each.name))
  const items = { type: 'string', enum: [...new Set(['id', ...names])] }
  return { name, in: 'query', explode: false, description, schema: { type: 'array', items } }
}
