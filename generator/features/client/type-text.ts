import type { Json } from '../../blueprint/types.js'
import { property, remark, valueOf } from '../../source/literal.js'
import type { Data } from '../openapi/facts.js'
import { isData } from '../openapi/own.js'

/** A member of an emitted interface. */
export interface MemberView {
  readonly property: string
  readonly isOptional: boolean
  readonly type: string
  readonly remark: string | null
}

/** Schemas that the document of the API names, as TypeScript. */
const named: Readonly<Record<string, string>> = {
  '#/components/schemas/Id': 'Id',
  '#/components/schemas/Json': 'unknown',
}

/** The TypeScript of a schema of the document; lists of what is sent are readonly. */
export function typeText(schema: Data, isSent = false): string {
  const { $ref, anyOf, allOf, const: only, enum: options, type } = schema
  if (typeof $ref === 'string') return named[$ref] ?? 'unknown'
  if (only !== undefined) return valueOf(only)
  const parts = listOf(anyOf ?? allOf).filter(isData)
  // A value with two schemas is JSON that is not null, for which TypeScript has no type.
  if (allOf !== undefined) return typeText(parts[0] ?? {}, isSent)
  if (anyOf !== undefined) return union(parts.map((part) => typeText(part, isSent)))
  if (options !== undefined) return union(listOf(options).map(valueOf))
  return union(typesOf(type).map((name) => plainType(name, schema, isSent)))
}

/** The members of an object as the document has it. */
export function membersOf({ properties, required }: Data, isSent = false): readonly MemberView[] {
  const names = new Set(listOf(required))
  return Object.entries(isData(properties) ? properties : {}).map(([name, value]) => {
    const schema = isData(value) ? value : {}
    const { description } = schema
    const isOptional = !names.has(name)
    const type = typeText(schema, isSent)
    return {
      property: property(name),
      isOptional,
      // Whoever has strict optional properties may say `undefined` as well.
      type: isOptional && isSent && type !== 'unknown' ? maybe(name, type) : type,
      remark: typeof description === 'string' ? remark(description) : null,
    }
  })
}

/** Members that every object has, as TypeScript knows it. */
export const inherited: ReadonlySet<string> = new Set([
  ...['constructor', 'hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable'],
  ...['toLocaleString', 'toString', 'valueOf'],
])

/** A member that may be missing: an object without it has that of all objects, which JSON leaves out. */
export const maybe = (name: string, type: string): string =>
  `${type} | undefined${inherited.has(name) ? ` | globalThis.Object['${name}']` : ''}`

/** An object on one line. */
export function objectText(schema: Data, isSent = false): string {
  const members = membersOf(schema, isSent).map(
    ({ property: name, isOptional, type }) => `${name}${isOptional ? '?' : ''}: ${type}`,
  )
  return members.length === 0 ? 'object' : `{ ${members.join('; ')} }`
}

function plainType(name: string, schema: Data, isSent: boolean): string {
  switch (name) {
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const item = typeText(isData(schema['items']) ? schema['items'] : {}, isSent)
      return `${isSent ? 'readonly ' : ''}${/\|/.test(item) ? `(${item})` : item}[]`
    }
    case 'object':
      return schema['properties'] === undefined ? 'unknown' : objectText(schema, isSent)
    default:
      return name
  }
}

/** No type at all is any JSON. */
const typesOf = (type: Json | undefined): readonly string[] =>
  type === undefined ? ['unknown'] : (Array.isArray(type) ? type : [type]).map(String)

/** Anything swallows the rest. */
function union(types: readonly string[]): string {
  const all = [...new Set(types)]
  return all.includes('unknown') ? 'unknown' : all.join(' | ')
}

export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [] // `isArray` does not narrow a readonly list
