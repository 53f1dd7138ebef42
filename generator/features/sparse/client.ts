import type { ClientPart } from '../client/names.js'
import { hasRead } from '../reads/feature.js'

export const sparseInClient: ClientPart = {
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
    FieldsQuery: `/** Which attributes an answer has; all unless it says. */
export interface FieldsQuery<Field> {
  readonly fields?: readonly Field[] | undefined
}`,
    Sparse: `/** A record with some of its attributes. */
export type Sparse<Record extends { attributes: object }, Field> = Omit<Record, 'attributes'> & {
  attributes: Pick<Record['attributes'], Field & keyof Record['attributes']>
}`,
  },
}
