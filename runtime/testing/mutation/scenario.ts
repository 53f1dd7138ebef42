/** A test as data: its records and its request. It is run here, or written into a file of tests. */

import type { Entity } from '../../model/entity.js'
import type { Asker } from './missing-test-types.js'

export type Value = Literal | Reference | { readonly list: readonly Value[] }

interface Literal {
  readonly literal: unknown
  /** Other records have other values: each time it is tried, and in each test. */
  readonly isFresh?: boolean
}

/** A column of a record that the test has under a name: `user.id`. */
export interface Reference {
  readonly of: string
  readonly field: string
  readonly isText?: boolean
  /** The value for a column that may not be NULL, in place of one that may. */
  readonly orElse?: unknown
}

export type Values = Readonly<Record<string, Value>>

export type Step =
  | {
      readonly does: 'make'
      readonly entity: Entity
      readonly name: string
      readonly values: Values
    }
  | { readonly does: 'insert'; readonly table: string; readonly values: Values }
  | {
      readonly does: 'update'
      readonly entity: Entity
      readonly id: Reference
      readonly values: Values
    }

export interface Scenario {
  readonly asker: Asker
  readonly entity: Entity
  readonly steps: readonly Step[]
  readonly method: string
  /** Null: of the collection. */
  readonly id: Reference | null
  /** After the record, or the collection. */
  readonly rest: string
  readonly body: Values | null
  /** The field that a gate is about, and what is sent of it. */
  readonly field: string | null
  /** For people: what of the records matters. */
  readonly words: string
}

export const literal = (value: unknown): Value => ({ literal: value })

/** As `unique` of tests/factories.ts ends. */
const uniquePart = /(?<=-|\/)[0-9a-f]{12}(?![0-9a-f])/

/** Returns the value with an end that no other value has. */
export const withUnique = (value: unknown, end: string): unknown =>
  typeof value === 'string'
    ? value.replace(uniquePart, (found) => end.slice(0, found.length).padStart(found.length, '0'))
    : value

/** Writes a text as code: on one line, whatever is in it. */
export const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
