import { z } from 'zod'
import { SetupError } from '../setup-error.js'

/** A file of `config/` with every key filled in; a wrong or unknown key stops the start. */
export function checkConfig<Schema extends z.core.$ZodType>(
  file: string,
  schema: Schema,
  config: unknown,
): z.output<Schema> {
  const parsed = z.safeParse(schema, config)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map((issue) => `  ${explain(issue)}`)
  throw new SetupError([`${file} is wrong:`, ...lines].join('\n'))
}

function explain(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return `${path}: ${issue.message}`
  const parent = path === '' ? '' : `${path}.`
  return `${issue.keys.map((key) => `${parent}${key}`).join(', ')}: there is no such key`
}
