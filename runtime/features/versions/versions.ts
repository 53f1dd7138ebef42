import { HttpError } from '../../errors.js'
import { worded } from '../../input/messages.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Entity, Extension, Row, Write } from '../../model/entity.js'
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
  meta: { version: column },
  reads: [{ in: 'header', name: header, of: changes, read: parseIfMatch }],
  // A field of yours may be called `version`: then it is named as its column is.
  inRows: ({ columns }) => {
    const name = columns.has('version') ? column : 'version'
    return {
      name,
      part: header,
      read: (value) =>
        isVersion(value)
          ? { value: { numbers: [value] } satisfies Versions }
          : { problem: worded('must be the number of a version', 'version') },
      missing: `Say which version you change: ${name} beside the id of each record.`,
    }
  },
  inCalls: {
    name: 'version',
    means: (value) => ifVersion(column, isVersion(value) ? value : null),
  },
  admits: (access, write) =>
    testOf(column, isRequired && isChange(write) ? demanded(access) : askedFor(access)),
  refusal: (access, write, row) => {
    if (isRequired && isChange(write) && demanded(access) === 'none') return required()
    return refusal(column, askedFor(access), row)
  },
  refusalOfNew: (access) => (askedFor(access) === null ? null : gone()),
  columns: (access, values, { operation }) => {
    delete values[column]
    return operation === 'store' ? first(access.entity, column) : {}
  },
  assignments: (_, __, entity) => {
    const name = identifier(columnNamed(entity, column).name)
    return [sql`${name} = ${name} + 1`]
  },
  headers: ({ meta }) => {
    const version = meta === undefined ? undefined : (meta as { version?: unknown }).version
    return typeof version === 'number' ? { ETag: tagOf(version) } : {}
  },
})

/** For one call: the version that it changes, as `If-Match` says it of a request; null: any. */
export const ifVersion = (column: string, version: number | null): Extension => {
  const asked: Versions | null = version === null ? null : { numbers: [version] }
  return {
    admits: () => testOf(column, asked),
    refusal: (_, __, row) => refusal(column, asked, row),
  }
}

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

const first = ({ defaults }: Entity, column: string): Row => ({ [column]: defaults?.[column] ?? 1 })

const tagOf = (version: unknown) => `"${String(version)}"`

function testOf(column: string, asked: Versions | 'none' | null): unknown {
  if (asked === null || asked === 'any') return true
  if (asked === 'none') return testOf(column, { numbers: [] })
  // No record has a version below none.
  return { [column]: { in: asked.numbers.length === 0 ? [-1] : asked.numbers } }
}

/** Null: it is the version that was asked for, and another rule has its say. */
function refusal(column: string, asked: Versions | null, row: Row): Error | null {
  const version = row[column]
  if (asked === null || asked === 'any') return null
  if (asked.numbers.some((each) => each === version)) return null
  const message = 'The record was changed meanwhile: read it again.'
  return new HttpError(412, message, undefined, { ETag: tagOf(version) })
}

const gone = () => new HttpError(412, 'There is no such record.')

const required = () =>
  new HttpError(428, 'Say which version you change: If-Match with the ETag of the record.')
