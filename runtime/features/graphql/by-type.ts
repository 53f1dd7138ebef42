import type { AnyRepository } from '../../operations/repository.js'

/** Repositories by the names of their types in the schema, where each has that of its repository. */
export function byType(
  repositories: Readonly<Record<string, AnyRepository>>,
): Readonly<Record<string, AnyRepository>> {
  const entries = Object.values(repositories).map((each) => [each.definition.name, each] as const)
  return Object.fromEntries(entries)
}
