import type { Json } from '../../blueprint/types.js'
import type { Data } from './facts.js'

/** The first content of `app/OpenApi/own.json`: empty. */
export const emptyOwn = '{\n  "paths": {},\n  "components": {}\n}\n'

export const isData = (value: Json | undefined): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The one text over the other: objects key by key, anything else as `own` has it. */
export function merged(described: Data, additions: Data): Data {
  const entries = Object.entries(additions).map(([key, value]) => {
    const known = Object.hasOwn(described, key) ? described[key] : undefined
    return [key, isData(known) && isData(value) ? merged(known, value) : value] as const
  })
  return { ...described, ...Object.fromEntries(entries) }
}

/** The object of a text, or what is wrong with it. */
export function readOwn(text: string): Data | string {
  try {
    const value: Json = JSON.parse(text) as Json // parsing gives nothing else
    return isData(value) ? value : 'it is no JSON object'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
