import type { Column } from './columns.js'

/** The place of a value: repository, field and record. */
interface Place {
  readonly repository: string
  readonly field: string
  readonly id: unknown
  /** Responses show the field to this user. */
  readonly isShown: boolean
}

/**
 * A row holds what its field cannot: another program wrote it, or the column is wider than the
 * manifest says. The log gets its place and the value, a caller the place of what is theirs to see.
 */
export class WrongValueError extends Error {
  override name = 'WrongValueError'
  /** The message for the caller. */
  readonly answer: string

  constructor(column: Column, stored: unknown, { repository, field, id, isShown }: Place) {
    const where = `'${field}' of ${repository} ${short(id)}`
    const says = column.storage.isJson ? 'JSON' : column.storage.says(column)
    super(`${where} holds ${short(stored)}, which is not ${says}`)
    this.answer = isShown
      ? `The stored ${where} is not ${says}.`
      : 'A stored value is not of the kind that its field has.'
  }
}

const short = (value: unknown): string => String(value).slice(0, 64)
