import type { PlaceOf } from '../../../model/entity.js'

/** Records stand in a list, or in `{ "ids": [] }`. */
export const inList: PlaceOf = (at, field) => (field === undefined ? `${at}` : `${at}.${field}`)

/** An id has no fields, and what is wrong with it is wrong with all of it. */
export const inIds: PlaceOf = (at) => `ids.${at}`
