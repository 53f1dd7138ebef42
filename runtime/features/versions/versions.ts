import { HttpError } from '../../errors.js'
import { worded } from '../../input/messages.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Extension, Precondition, Row, Write } from '../../model/entity.js'
import { identifier, sql } from '../../sql/sql.js'
import { parseIfMatch, type Versions } from './if-match.js'

export interface VersionsOptions {
  /** The column that counts. */
  readonly column: string
  /** True if requests must say which version they change. */
  readonly isRequired?: boolean
}

const header = 'If-Match'

/** Writes of one record, below its parent or not; those of its relations change no version. */
const changes = ['update', 'delete'] as const

/**
 * For a repository: each record has a number that every write of it counts up. A trigger does so for
 * whoever leaves it alone; the server counts itself, for SQLite answers RETURNING before a trigger
 * has run. What bodies and hooks say of the number does not count.
 *
 * @example extensions: [versions({ column: 'version' })]
 */
export const versions = ({ column, isRequired = false }: VersionsOptions): Extension => ({
  says: {
    meta: { version: column },
    parts: [
      {
        in: 'header',
        name: header,
        of: changes,
        read: parseIfMatch,
        member: {
          name: 'version',
          keyIn: (fields) => memberIn(fields, column),
          read: (value) =>
            isVersion(value)
              ? { value: { numbers: [value] } satisfies Versions }
              : { problem: worded('must be the number of a version', 'version') },
        },
      },
    ],
    headers: ({ meta }) => {
      const version = meta === undefined ? undefined : (meta as { version?: unknown }).version
      return typeof version === 'number' ? { ETag: tagOf(version) } : {}
    },
  },
  write: ({ access: { entity } }) => ({
    requires: ({ access, write }) => {
      const asked = isRequired && isChange(write) ? demanded(access) : askedFor(access)
      return asked === 'none'
        ? { condition: noVersion(column), refusal: () => required(access, column) }
        : preconditionOf(access, column, asked)
    },
    // What bodies and hooks say of it does not count.
    values: ({ write: { operation } }) => ({
      [column]:
        operation === 'store'
          ? (entity.defaults?.[column] ?? 1)
          : sql`${identifier(columnNamed(entity, column).name)} + 1`,
    }),
  }),
})

/** The key of a record among others. A field of yours may be called `version`: then it is named as its column is. */
const memberIn = (fields: { has(name: string): boolean }, column: string) =>
  fields.has('version') ? column : 'version'

/** Another feature's operation on a record (bringing it back, say) may name a version, and needs none. */
const isChange = ({ operation }: Write): boolean => changes.some((each) => each === operation)

const askedFor = ({ parameters }: Access): Versions | null =>
  // `parseIfMatch` made it.
  (parameters.get(header) as Versions | undefined) ?? null

/** None where a request must say which one, and does not: told after all that a policy says. */
const demanded = (access: Access): Versions | 'none' | null =>
  access.exchange !== null && !access.parameters.has(header) ? 'none' : askedFor(access)

const isVersion = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0

const tagOf = (version: unknown) => `"${String(version)}"`

function preconditionOf(access: Access, column: string, asked: Versions | null): Precondition {
  if (asked === null) return { condition: true, refusal: () => null }
  return {
    condition: asked === 'any' || testOf(column, asked.numbers),
    refusal: (row) => (row === null ? gone(access, column) : refusal(access, column, asked, row)),
  }
}

const testOf = (column: string, numbers: readonly number[]) =>
  numbers.length === 0 ? noVersion(column) : { [column]: { in: numbers } }

/** No record has a version below none. */
const noVersion = (column: string) => ({ [column]: { in: [-1] } })

/** Null: it is the version that was asked for, and another rule has its say. */
function refusal(access: Access, column: string, asked: Versions, row: Row): Error | null {
  const version = row[column]
  if (asked === 'any' || asked.numbers.some((each) => each === version)) return null
  const message = 'The record was changed meanwhile: read it again.'
  return unmet(access, column, message, { ETag: tagOf(version) })
}

const gone = (access: Access, column: string) =>
  unmet(access, column, 'There is no such record.', {})

/** A precondition of the request is one of a record where it writes many. */
function unmet(
  { entity, request }: Access,
  column: string,
  message: string,
  headers: Readonly<Record<string, string>>,
): HttpError {
  if (!request.isMany) return new HttpError(412, message, undefined, headers)
  return new HttpError(409, message, { [memberIn(entity.columns, column)]: [message] })
}

function required({ entity, request }: Access, column: string): HttpError {
  if (!request.isMany) {
    return new HttpError(428, 'Say which version you change: If-Match with the ETag of the record.')
  }
  const name = memberIn(entity.columns, column)
  const message = `Say which version you change: ${name} beside the id of each record.`
  return new HttpError(428, message, { [name]: [message] })
}
