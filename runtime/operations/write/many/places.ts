import type { PlaceOf } from '../../../model/entity.js'

/** Names places of records in a list. */
export const inList: PlaceOf = (at, field) => (field === undefined ? `${at}` : `${at}.${field}`)
