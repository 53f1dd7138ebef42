import { HttpError } from '../../errors.js'
import { sentence, worded } from '../../input/messages.js'

/** 413; `count` says how many records these are, and which. */
export const tooManyRecords = (most: number, count: string): HttpError =>
  new HttpError(413, `One request makes at most ${most} records; these are ${count}.`)

/** Returns the error about a relation of a new record that its own writer does not see. */
export const unseenAbove = (relation: string): string =>
  sentence(relation, worded('would belong to a record that you cannot see', 'unseen'))
