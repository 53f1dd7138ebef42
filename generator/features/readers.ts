import { aggregatesReader } from './aggregates/reader.js'
import { clientReader } from './client/reader.js'
import { countsReader } from './counts/reader.js'
import { describedRoutesReader } from './described-routes/reader.js'
import { filtersReader } from './filters/reader.js'
import { graphqlReader } from './graphql/reader.js'
import { idempotencyReader } from './idempotency/reader.js'
import { metricsReader } from './metrics/reader.js'
import { openapiReader } from './openapi/reader.js'
import { ownFiltersReader } from './own-filters/reader.js'
import type { FeatureReader } from './reader.js'
import { readsReader } from './reads/reader.js'
import { requestLimitReader } from './request-limit/reader.js'
import { signInReader } from './sign-in/reader.js'
import { treesReader } from './trees/reader.js'

/** Features that ask more than the manifest. */
export const readers: readonly FeatureReader[] = [
  signInReader,
  graphqlReader,
  openapiReader,
  describedRoutesReader,
  clientReader,
  requestLimitReader,
  metricsReader,
  idempotencyReader,
  readsReader,
  ownFiltersReader,
  filtersReader,
  countsReader,
  aggregatesReader,
  treesReader,
]
