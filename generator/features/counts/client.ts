import { valueOf } from '../../source/literal.js'
import type { ClientPart } from '../client/names.js'
import { countsFact } from './check.js'

export const countsInClient: ClientPart = {
  reading: (client, entity) => {
    const said = countsFact.of(entity, client.api.project)
    if (said === null) return null
    return {
      generic: `const Count extends ${said.names.map(valueOf).join(' | ')} = never`,
      query: 'CountsQuery<Count>',
      record: (record) => `Counted<${record}, Count>`,
    }
  },
  readingTypes: {
    CountsQuery: `/** Related records to count. */
export interface CountsQuery<Count> {
  readonly withCount?: readonly Count[] | undefined
}`,
    Counted: `/** A record, with how many related records it has of those that were to be counted. */
export type Counted<Record, Count extends string> = Record &
  ([Count] extends [never] ? unknown : { counts: { [Name in Count]: number } })`,
  },
}
