import { hash } from 'node:crypto'

/** A hash of all that a value holds, for telling whether something is as it was. */
export const hashOf = (value: unknown) => hash('sha1', JSON.stringify(value, listed), 'base64')

/** JSON has neither. */
const listed = (_: string, value: unknown) =>
  value instanceof Map || value instanceof Set ? [...value] : value
