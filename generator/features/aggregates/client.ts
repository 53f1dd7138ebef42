import type { KnownRoute } from '../../plan/routes/routes.js'
import { property } from '../../source/literal.js'
import { pathText, remarkOf, type OperationView } from '../client/function-view.js'
import type { Client, ClientPart } from '../client/names.js'
import { typeText } from '../client/type-text.js'
import type { Data } from '../openapi/facts.js'
import { hasSearch } from '../openapi/schemas/parameters.js'
import { aggregatesFact } from './check.js'
import { groupsOf, selectableOf, selectText } from './declared.js'
import { aggregateOperation, keySchema, textsOf, valueSchema } from './document.js'
import { aggregatedBy } from './routes.js'

export const aggregatesInClient: ClientPart = {
  functions: (client, route) => [aggregateFunction(client, route)],
  hasReadingTypes: ({ api }, entity) => aggregatesFact.of(entity, api.project) !== null,
  readingTypes: {
    AggregateQuery: `/** The keys of the groups, and the values of each: \`count\` unless you name some. */
export interface AggregateQuery<Group extends string, Select extends string> extends Options {
  readonly groupBy?: readonly Group[] | undefined
  readonly select?: readonly Select[] | undefined
  /** The time zone of periods, as \`Europe/Rome\`; else UTC. */
  readonly tz?: string | undefined
  /** Keys to sort the groups by; with a minus, descending. */
  readonly sort?: readonly NoInfer<Group | Select | \`-\${Group | Select}\`>[] | undefined
  readonly page?: number | undefined
  readonly perPage?: number | undefined
}`,
    Aggregated: `/** A group, with what was asked of it. */
export type Aggregated<Groups, Values, Group extends keyof Groups, Select extends keyof Values> = {
  group: { [Key in Group as Key extends \`\${infer Name}:\${string}\` ? Name : Key]: Groups[Key] }
} & ('count' extends Select ? { count: number } : unknown) & {
    [Of in AggregateFunction as [SelectedOf<Of, Select>] extends [never] ? never : Of]: {
      [Key in SelectedOf<Of, Select> as Key extends \`\${Of}(\${infer Name})\` ? Name : never]: Values[Key]
    }
  }

type AggregateFunction = 'sum' | 'avg' | 'min' | 'max' | 'countDistinct'

type SelectedOf<Of extends string, Select> = Extract<Select, \`\${Of}(\${string})\`>`,
  },
}

function aggregateFunction(client: Client, route: KnownRoute): OperationView {
  const entity = aggregatedBy(route)
  const { api } = client
  const declared = aggregatesFact.of(entity, api.project) ?? { groupBy: [], of: [] }
  const groups = groupsOf(declared, entity, api.project).flatMap((each) => {
    const [own, ...periods] = textsOf(each)
    const whole = typeText(own === undefined ? {} : ofWhole(keySchema(each)))
    return [
      ...(own === undefined ? [] : [`${property(own)}: ${whole}`]),
      ...periods.map((text) => `${property(text)}: string | null`),
    ]
  })
  const values = selectableOf(declared, entity, api.project).map(
    (each) => `${property(selectText(each))}: ${typeText(valueSchema(each))}`,
  )
  const [groupType, valueType] = [object(groups), object(['count: number', ...values])]
  const name = client.name(entity)
  const narrowing = narrowingOf(client, entity).map((each) => `'${each}'`)
  const query = `AggregateQuery<Group, Select>${narrowing.length === 0 ? '' : ` & Pick<${name}Query, ${narrowing.join(' | ')}>`}`
  return {
    remark: remarkOf(route, aggregateOperation(api, route).summary),
    name: 'aggregate',
    generics: `<const Group extends keyof ${groupType} = never, const Select extends keyof ${valueType} = 'count'>`,
    parameters: ['api: Api', `query: ${query} = {}`],
    answer: `Promise<Page<Aggregated<${groupType}, ${valueType}, Group, Select>>>`,
    call: `request(api, 'GET', ${pathText(route.path)}, query)`,
  }
}

const object = (members: readonly string[]) =>
  members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`

/** A period is also a text. */
const ofWhole = (schema: Data): Data => {
  const { anyOf } = schema
  return Array.isArray(anyOf) ? ((anyOf as readonly Data[])[0] ?? {}) : schema
}

/** Lists the filters of lists. */
function narrowingOf(client: Client, entity: Parameters<typeof hasSearch>[0]): readonly string[] {
  const asked = [...client.parts.values()].flatMap((part) => part.asked?.(client, entity) ?? [])
  return [
    ...(hasSearch(entity) ? ['search'] : []),
    ...(entity.match.length > 0 ? ['match'] : []),
    ...asked.map((each) => each.property),
  ]
}
