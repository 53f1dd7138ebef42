import type { Json } from '../../../blueprint/types.js'
import { child, dataOf, inner, innerParts, listed, target, type Part } from './part.js'

/** A schema with its references followed and `allOf` put together: all of this holds at once. */
export interface Flat {
  readonly part: Part
  /** Null: any. */
  readonly types: ReadonlySet<string> | null
  /** Values of `enum` and `const`; null: any. */
  readonly values: readonly Json[] | null
  /** Bounds by their keyword, the tightest of each. */
  readonly bounds: ReadonlyMap<string, number>
  /** Keywords that are compared as they are: `pattern "^a"`. */
  readonly rules: ReadonlyMap<string, string>
  readonly required: ReadonlySet<string>
  readonly properties: ReadonlyMap<string, readonly Part[]>
  readonly items: readonly Part[]
  /** Schemas of `additionalProperties`. */
  readonly others: readonly Part[]
  readonly isClosed: boolean
  /** Schemas of `anyOf` and `oneOf`: one of each list holds too. */
  readonly choices: readonly (readonly Part[])[]
}

export const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

export const atMost = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
export const atLeast = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const compared = [
  ...['pattern', 'format', 'multipleOf', 'uniqueItems', 'not', 'if', 'then', 'else', 'contains'],
  ...['propertyNames', 'patternProperties', 'prefixItems', 'dependentRequired', 'dependentSchemas'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
]

/** Everything that these schemas say together. */
export function flat(parts: readonly Part[]): Flat {
  const [first, ...others] = parts.map((part) => flatOf(part, []))
  if (first === undefined) throw new Error('no schema is compared')
  return others.reduce(both, first)
}

function flatOf(part: Part, seen: readonly string[]): Flat {
  const own = ownOf(part)
  const referred = target(part)
  const more = [...(referred === null ? [] : [referred]), ...listed(inner(part, 'allOf'))]
  const known = [...seen, part.at]
  return more
    .filter(({ at }) => !known.includes(at))
    .map((each) => flatOf(each, known))
    .reduce(both, own)
}

/** Reads the members of one schema itself. */
function ownOf(part: Part): Flat {
  const data = dataOf(part)
  const { type, enum: options, required, const: only } = data
  const given = part.value === false ? [] : type === undefined ? null : [type].flat().map(String)
  const choices = ['anyOf', 'oneOf'].map((key) => listed(inner(part, key)))
  const items = inner(part, 'items')
  const properties = inner(part, 'properties')
  const others = data['additionalProperties']
  const bounds = [...atMost, ...atLeast].flatMap((key) => {
    const bound = data[key]
    return typeof bound === 'number' ? [[key, bound] as const] : []
  })
  return {
    part,
    types:
      given === null ? null : new Set(given.includes('number') ? [...given, 'integer'] : given),
    values: only === undefined ? (Array.isArray(options) ? options : null) : [only],
    bounds: new Map(bounds),
    rules: new Map(
      compared.flatMap((key) => {
        const rule = data[key]
        return rule === undefined ? [] : [[`${key} ${JSON.stringify(rule)}`, key] as const]
      }),
    ),
    required: new Set(Array.isArray(required) ? required.map(String) : []),
    properties: new Map(
      (properties === null ? [] : innerParts(properties)).map(([key, each]) => [key, [each]]),
    ),
    items: items === null ? [] : [items],
    others: typeof others === 'object' ? [child(part, 'additionalProperties', others)] : [],
    isClosed: others === false,
    choices: choices.filter((each) => each.length > 0),
  }
}

/** Two schemas that hold at once. */
export function both(one: Flat, other: Flat): Flat {
  const bounds = new Map(one.bounds)
  for (const [key, bound] of other.bounds) {
    const tighter = atMost.includes(key) ? Math.min : Math.max
    bounds.set(key, tighter(bound, bounds.get(key) ?? bound))
  }
  const properties = new Map(one.properties)
  for (const [key, parts] of other.properties) {
    properties.set(key, [...(properties.get(key) ?? []), ...parts])
  }
  return {
    part: one.part,
    types: common(one.types, other.types),
    values: commonValues(one.values, other.values),
    bounds,
    rules: new Map([...one.rules, ...other.rules]),
    required: new Set([...one.required, ...other.required]),
    properties,
    items: [...one.items, ...other.items],
    others: [...one.others, ...other.others],
    isClosed: one.isClosed || other.isClosed,
    choices: [...one.choices, ...other.choices],
  }
}

function common(one: Flat['types'], other: Flat['types']): Flat['types'] {
  if (one === null || other === null) return one ?? other
  return new Set([...one].filter((type) => other.has(type)))
}

function commonValues(one: Flat['values'], other: Flat['values']): Flat['values'] {
  if (one === null || other === null) return one ?? other
  const known = new Set(other.map((value) => JSON.stringify(value)))
  return one.filter((value) => known.has(JSON.stringify(value)))
}
