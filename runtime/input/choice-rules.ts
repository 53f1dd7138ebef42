import { z } from 'zod'
import { worded } from './messages.js'

/** Some of these, each once. */
export function multiSelect<const Options extends readonly [string, ...string[]]>(
  options: Options,
) {
  const option = z.enum(options)
  const isDistinct = (values: readonly string[]) => new Set(values).size === values.length
  return z.array(option).refine(isDistinct, {
    error: () => worded('must not contain the same value twice', 'distinct'),
  })
}

/** One of these. */
export function select<const Options extends readonly [string, ...string[]]>(options: Options) {
  return z.enum(options)
}
