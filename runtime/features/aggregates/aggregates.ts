import type { Entity, Extension } from '../../model/entity.js'

/** Declares which aggregates the records of a repository have. */
export interface Declared {
  /** Columns, and those of one related record: `category.name`. */
  readonly groupBy: readonly string[]
  /** Columns that are added up and compared. */
  readonly of: readonly string[]
}

interface Aggregates extends Extension {
  readonly aggregates: Declared
}

/**
 * For repositories: `GET /<key>/aggregate`, which `aggregateRoutes` answers, and `postAggregate` of
 * GraphQL.
 *
 * @example extensions: [aggregates({ groupBy: ['status', 'category.name'], of: ['price'] })]
 */
export const aggregates = (declared: Declared): Aggregates => ({ aggregates: declared })

const isOurs = (extension: Extension): extension is Aggregates => 'aggregates' in extension

/** Reads the declaration of the repository file. */
export function declaredIn({ extensions, key }: Entity): Declared {
  const found = extensions.find(isOurs)
  if (found === undefined) throw new TypeError(`'${key}' has no \`extensions: [aggregates(…)]\``)
  return found.aggregates
}
