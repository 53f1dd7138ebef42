import { readFileSync } from 'node:fs'
import formats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Arbitrary } from 'fast-check'
import { operationsOf, type Operation } from './operations.js'
import { dataIn, plain, resolver, type Data } from './schema.js'
import { spoiled } from './spoiled.js'
import { valuesOf } from './values-of.js'

/** The document of an API, read. */
export interface Contract {
  readonly operations: readonly Operation[]
  /** Returns true if a value is what a schema says. */
  readonly isValid: (schema: Data, value: unknown) => boolean
  /** Values that a schema allows. */
  readonly valueOf: (schema: Data) => Arbitrary<unknown>
  /** Bodies that it does not allow, each wrong in one thing. */
  readonly spoiledOf: (schema: Data) => Arbitrary<unknown>
  /** Returns the problem with an answer, or null. */
  readonly problemOf: (operation: Operation, response: Response) => Promise<string | null>
}

/** @param path Of the document. `ids`: what references in bodies may name. */
export function readContract(path: string, ids: () => readonly string[]): Contract {
  const document = dataIn(JSON.parse(readFileSync(path, 'utf8')))
  const ajv = new Ajv2020({ strict: false, ownProperties: true, multipleOfPrecision: 9 })
  formats.default(ajv)
  ajv.addSchema(document, 'api')
  const resolve = resolver(document)
  const check = checker(ajv)
  const isValid = (schema: Data, value: unknown) => check(schema)(value)
  const valueOf = (schema: Data) => valuesOf(schema, { resolve, ids })
  return {
    operations: operationsOf(document, resolve),
    isValid,
    valueOf,
    spoiledOf: (schema) => spoiled(plain(schema, resolve), valueOf(schema), isValid),
    problemOf: async ({ answers }, response) => {
      const pointer = answers.get(response.status)
      const text = await response.clone().text()
      if (pointer === undefined) return `${response.status}, which is not in the document: ${text}`
      if (pointer === null) return text === '' ? null : `a body, and there should be none: ${text}`
      const value: unknown = text === '' ? undefined : JSON.parse(text)
      const isAllowed = check({ $ref: pointer })
      if (isAllowed(value)) return null
      return `${response.status}: ${ajv.errorsText(isAllowed.errors)} in ${text}`
    },
  }
}

/** Each schema is compiled once; references are seen from outside the document. */
function checker(ajv: Ajv2020) {
  const compiled = new Map<string, ValidateFunction>()
  return (schema: Data): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"api#')
    const found = compiled.get(text) ?? ajv.compile(dataIn(JSON.parse(text)))
    compiled.set(text, found)
    return found
  }
}
