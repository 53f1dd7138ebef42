import type { Feature } from '../write/feature.js'
import { actions } from './actions/feature.js'
import { aggregates } from './aggregates/feature.js'
import { authorizationTests } from './authorization-tests/feature.js'
import { bulk } from './bulk/feature.js'
import { childLists } from './child-lists/feature.js'
import { client } from './client/feature.js'
import { counts } from './counts/feature.js'
import { csvExport } from './csv-export/feature.js'
import { cursors } from './cursors/feature.js'
import { customFilters } from './custom-filters/feature.js'
import { describedRoutes } from './described-routes/feature.js'
import { docs } from './docs/feature.js'
import { dryRun } from './dry-run/feature.js'
import { filters } from './filters/feature.js'
import { folding } from './folding/feature.js'
import { fullText } from './full-text/feature.js'
import { globalSearch } from './global-search/feature.js'
import { graphql } from './graphql/feature.js'
import { idempotency } from './idempotency/feature.js'
import { includeArguments } from './include-arguments/feature.js'
import { localization } from './localization/feature.js'
import { metrics } from './metrics/feature.js'
import { morphs } from './morphs/feature.js'
import { nestedCreate } from './nested-create/feature.js'
import { nestedPivots } from './nested-pivots/feature.js'
import { offsets } from './offsets/feature.js'
import { openapi } from './openapi/feature.js'
import { operators } from './operators/feature.js'
import { passwords } from './passwords/feature.js'
import { pivots } from './pivots/feature.js'
import { rateLimit } from './rate-limit/feature.js'
import { readerThreads } from './reader-threads/feature.js'
import { reads } from './reads/feature.js'
import { relationFilters } from './relation-filters/feature.js'
import { replicas } from './replicas/feature.js'
import { signIn } from './sign-in/feature.js'
import { softDeletes } from './soft-deletes/feature.js'
import { sparse } from './sparse/feature.js'
import { timestampsBy } from './timestamps-by/feature.js'
import { tracing } from './tracing/feature.js'
import { transactions } from './transactions/feature.js'
import { trees } from './trees/feature.js'
import { upsert } from './upsert/feature.js'
import { valueTests } from './value-tests/feature.js'
import { versions } from './versions/feature.js'

/** All features, in the order in which their lines stand in files of others. `cli.ts` hands this list to the core. */
export const features: readonly Feature[] = [
  signIn,
  passwords,
  childLists,
  pivots,
  graphql,
  openapi,
  describedRoutes,
  docs,
  authorizationTests,
  valueTests,
  rateLimit,
  metrics,
  replicas,
  folding,
  timestampsBy,
  client,
  morphs,
  tracing,
  readerThreads,
  nestedCreate,
  nestedPivots,
  transactions,
  versions,
  softDeletes,
  // A key is noted outside the transaction in which rows are counted.
  idempotency,
  dryRun,
  upsert,
  bulk,
  actions,
  globalSearch,
  fullText,
  reads,
  operators,
  relationFilters,
  trees,
  customFilters,
  filters,
  localization,
  includeArguments,
  // It applies to records that those include, too.
  sparse,
  counts,
  // Before cursors, whose pages are read otherwise.
  offsets,
  cursors,
  csvExport,
  aggregates,
]
