import { UsageError } from 'clipanion'

/** One of the words that an option takes. */
export function oneOf<Name extends string>(
  option: string,
  names: readonly Name[],
  text: string | undefined,
): Name | undefined {
  const found = names.find((name) => name === text)
  if (text === undefined || found !== undefined) return found
  throw new UsageError(`${option} is one of: ${names.join(', ')}.`)
}

const forms = ['package', 'own'] as const

export const runtimeOption = (text: string | undefined) =>
  oneOf('--runtime', forms, text) ?? 'package'
