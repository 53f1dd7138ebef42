import { z } from 'zod'

/** Some of these, each once. */
export function multiSelect<const Options extends readonly [string, ...string[]]>(
  options: Options,
) {
  const option = z.enum(options)
  const isDistinct = (values: readonly string[]) => new Set(values).size === values.length
  return z.array(option).refine(isDistinct, { error: 'must not contain the same value twice' })
}

/** One of these. */
export function select<const Options extends readonly [string, ...string[]]>(options: Options) {
  return z.enum(options)
}
