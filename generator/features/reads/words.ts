import { cursorsRead } from '../cursors/words.js'
import { filtersRead } from '../filters/words.js'
import { includeArgumentsRead } from '../include-arguments/words.js'
import { offsetsRead } from '../offsets/words.js'
import { operatorsRead } from '../operators/words.js'
import { sparseRead } from '../sparse/words.js'
import { treesRead } from '../trees/words.js'

/** Words of `reads`: each feature's row is in its folder. */
export const readRows = [
  operatorsRead,
  treesRead,
  sparseRead,
  includeArgumentsRead,
  cursorsRead,
  offsetsRead,
  filtersRead,
] as const satisfies readonly ReadRow[]

interface ReadRow {
  /** As `reads` names it, and as the feature is called. */
  readonly name: string
  /** Names of query parameters that it takes, and columns do not have any more. */
  readonly parameters: readonly string[]
  /** A related entry of this name keeps it out of its repository, unless `reads` names it. */
  readonly entry?: string
}

export type ReadName = (typeof readRows)[number]['name']

export interface ReadsWords {
  /**
   * What may be asked of lists and records besides. `'operators'`: comparisons of columns in `match`, `price[gte]=5`,
   * `status[in]=open,paid`. `'trees'`: what is asked in the body of `POST /posts/search`, with any, all and not of such
   * comparisons. `'sparse'`: answers with some attributes, `fields=title,price`. `'includeArguments'`: which
   * records an included list has, `include[reviews][perPage]=3`. `'cursors'`: lists are walked from where a page ended,
   * `cursor=`, and counted as `withTotal` says. `'offsets'`: some records from any one on, `offset=40&limit=20`. `'filters'`: `GET /posts/filters` says what can be asked. In a repository, this list stands in place of that of `defineManifest`;
   * `[]`: none. Default: all.
   */
  readonly reads?: readonly ReadName[]
}

declare module '../../manifest/words.js' {
  interface ManifestWords extends ReadsWords {}
  interface RepositoryWords extends ReadsWords {}
}
