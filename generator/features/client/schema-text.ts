import type { Json } from '../../blueprint/types.js'
import { property, valueOf } from '../../source/literal.js'
import type { Data } from '../openapi/facts.js'
import { isData } from '../openapi/own.js'
import { listOf } from './type-text.js'

/** The direction of a schema, and the names of the schemas it refers to. */
export interface Spoken {
  readonly isSent: boolean
  readonly nameOf: (reference: string) => string | null
}

/** The TypeScript of any JSON Schema; where it has no word for it, `unknown`. Lists that are sent are readonly. */
export function schemaText(given: Json | undefined, spoken: Spoken): string {
  if (!isData(given)) return given === false ? 'never' : 'unknown'
  const inner = (schema: Json | undefined) => schemaText(schema, spoken)
  const { $ref, anyOf, allOf, enum: options, type } = given
  if (typeof $ref === 'string') return spoken.nameOf($ref) ?? 'unknown'
  if (given['const'] !== undefined) return valueOf(given['const'])
  if (options !== undefined) return joined(listOf(options).map(valueOf), ' | ')
  if (anyOf !== undefined) return joined(listOf(anyOf).map(inner), ' | ')
  if (allOf !== undefined) return joined(listOf(allOf).map(inner), ' & ')
  const types = Array.isArray(type) ? listOf(type) : [type]
  return joined(
    types.map((name) => plainText(name, given, spoken)),
    ' | ',
  )
}

function plainText(name: Json | undefined, schema: Data, spoken: Spoken): string {
  switch (name) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return name
    case 'integer':
      return 'number'
    case 'array':
      return listText(schema, spoken)
    case 'object':
      return objectText(schema, spoken)
    default:
      return 'unknown'
  }
}

function listText({ prefixItems, items }: Data, spoken: Spoken): string {
  const word = spoken.isSent ? 'readonly ' : ''
  if (prefixItems === undefined) return `${word}(${schemaText(items, spoken)})[]`
  const parts = listOf(prefixItems).map((part) => schemaText(part, spoken))
  const rest = isData(items) ? [`...(${schemaText(items, spoken)})[]`] : []
  return `${word}[${[...parts, ...rest].join(', ')}]`
}

function objectText({ properties, required, additionalProperties }: Data, spoken: Spoken): string {
  const names = new Set(listOf(required))
  const members = Object.entries(isData(properties) ? properties : {}).map(([name, schema]) => {
    const text = schemaText(schema, spoken)
    if (names.has(name)) return `${property(name)}: ${text}`
    return `${property(name)}?: ${text}${spoken.isSent && text !== 'unknown' ? ' | undefined' : ''}`
  })
  if (isData(additionalProperties)) {
    const record = `Record<string, ${schemaText(additionalProperties, spoken)}>`
    return members.length === 0 ? record : `{ ${members.join('; ')} } & ${record}`
  }
  return members.length === 0 ? 'object' : `{ ${members.join('; ')} }`
}

/** Anything swallows the rest of a choice. */
function joined(types: readonly string[], between: ' | ' | ' & '): string {
  const all = [...new Set(types)]
  if (between === ' | ' && all.includes('unknown')) return 'unknown'
  return all.length === 1 ? (all[0] ?? 'unknown') : `(${all.join(between)})`
}
