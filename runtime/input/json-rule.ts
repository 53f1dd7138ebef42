import { z } from 'zod'
import { jsonProblem } from '../kinds/json.js'
import { absent, worded } from './messages.js'

/** Any JSON value but null, kept in its shape. `max` are characters. */
export function json(max = 1_000_000) {
  return z.unknown().superRefine((value, context) => {
    const isAbsent = value === undefined || value === null
    const problem = isAbsent ? absent(value) : (jsonProblem(value) ?? lengthProblem(value, max))
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
}

function lengthProblem(value: unknown, max: number): string | null {
  const isLonger = JSON.stringify(value).length > max
  return isLonger
    ? worded(`must not be longer than ${max} characters of JSON`, 'maxLength', { max })
    : null
}
