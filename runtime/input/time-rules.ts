import { dateTime as instant } from '../kinds/date-time.js'
import { date as day } from '../kinds/date.js'
import { storedText } from './stored-rule.js'

/** A day: `2026-02-03`. */
export const date = () => storedText(day)

/** A time: ISO 8601 with any offset; without one it is UTC, without a time it is midnight. */
export const dateTime = () => storedText(instant)
