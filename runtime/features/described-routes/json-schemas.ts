import { z } from 'zod'

export type Data = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly schema: Data
  readonly isRequired: boolean
  readonly description: string | undefined
}

export interface Schemas {
  readonly of: (schema: z.ZodType, part: string, io: 'input' | 'output') => Data
  readonly parameters: (schema: z.ZodObject, part: string) => readonly Parameter[]
}

/** The schemas of one operation; what they refer to is added to `components`, under its name. */
export function jsonSchemas(operationId: string, components: Record<string, Data>): Schemas {
  const of: Schemas['of'] = (schema, part, io) => {
    const {
      $schema: _,
      $defs,
      ...whole
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        // Answers contain its JSON.
        if (zodSchema instanceof z.ZodDate)
          Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      },
    })
    const prefix = `${operationId}.${part}`
    const nameOf = (key: string) => `${prefix}.${key.replaceAll(/[^\w.-]/g, '_')}`
    for (const [key, data] of Object.entries($defs ?? {})) {
      components[nameOf(key)] = dataIn(placed(data, prefix, nameOf))
    }
    const placedWhole = dataIn(placed(whole, prefix, nameOf))
    if (!JSON.stringify([whole, $defs]).includes('"$ref":"#"')) return placedWhole
    components[prefix] = placedWhole
    return { $ref: `#/components/schemas/${prefix}` }
  }
  const parameters: Schemas['parameters'] = (schema, part) => {
    // Texts come in, and what is made of them says more; what is asked for, only the texts say.
    const sent = of(schema, part, 'input')
    const made = dataIn(of(schema, part, 'output')['properties'])
    const required = Array.isArray(sent['required']) ? sent['required'] : []
    return Object.entries(dataIn(sent['properties'])).map(([name, text]) => {
      const output = dataIn(made[name])
      const { description, ...shown } = 'type' in output || 'enum' in output ? output : dataIn(text)
      return {
        ...{ name, schema: shown, isRequired: required.includes(name) },
        description: typeof description === 'string' ? description : undefined,
      }
    })
  }
  return { of, parameters }
}

const dataIn = (value: unknown): Data =>
  typeof value === 'object' && value !== null ? (value as Data) : {}

/** Members of a schema that hold values, or schemas by the names of a developer. */
const values = new Set(['const', 'enum', 'default', 'examples', 'required'])
const named = new Set(['properties', 'patternProperties'])

/** With its references as they are in the whole document, and `anyOf` for `oneOf`, which more tools read. */
function placed(value: unknown, prefix: string, nameOf: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => placed(each, prefix, nameOf))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    if (values.has(key)) return [key, inner] as const
    if (named.has(key)) return [key, mapped(dataIn(inner), prefix, nameOf)] as const
    if (key === '$ref' && typeof inner === 'string') {
      const [, name] = /^#\/\$defs\/(.*)$/.exec(inner) ?? []
      return [key, `#/components/schemas/${name === undefined ? prefix : nameOf(name)}`] as const
    }
    return [key === 'oneOf' ? 'anyOf' : key, placed(inner, prefix, nameOf)] as const
  })
  return Object.fromEntries(entries)
}

const mapped = (schemas: Data, prefix: string, nameOf: (key: string) => string): Data =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, placed(schema, prefix, nameOf)]),
  )
