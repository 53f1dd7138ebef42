import type { Entity, Extension } from '../../model/entity.js'

/** What may be asked of the records of a repository together. */
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

/** What its repository file says. */
export function declaredIn({ extensions, key }: Entity): Declared {
  const found = extensions.find(isOurs)
  if (found === undefined) throw new TypeError(`'${key}' has no \`extensions: [aggregates(…)]\``)
  return found.aggregates
}
