import { aggregatesCheck } from './aggregates/check.js'
import { bulkCheck } from './bulk/check.js'
import { aSwitch, type FeatureCheck } from './check.js'
import { clientCheck } from './client/check.js'
import { countsCheck } from './counts/check.js'
import { csvExportCheck } from './csv-export/check.js'
import { dryRunCheck } from './dry-run/check.js'
import { fullTextCheck } from './full-text/check.js'
import { globalSearchCheck } from './global-search/check.js'
import { idempotencyCheck } from './idempotency/check.js'
import { nestedCreateCheck } from './nested-create/check.js'
import { nestedPivotsCheck } from './nested-pivots/check.js'
import { ownFiltersCheck } from './own-filters/check.js'
import { readerThreadsCheck } from './reader-threads/check.js'
import { readsCheck } from './reads/check.js'
import { relationFiltersCheck } from './relation-filters/check.js'
import { replicasCheck } from './replicas/check.js'
import { signInCheck } from './sign-in/check.js'
import { softDeletesCheck } from './soft-deletes/check.js'
import { spokenLanguagesCheck } from './spoken-languages/check.js'
import { timestampsByCheck } from './timestamps-by/check.js'
import { transactionsCheck } from './transactions/check.js'
import { treesCheck } from './trees/check.js'
import { upsertCheck } from './upsert/check.js'
import { versionsCheck } from './versions/check.js'

/** What features check, and say in the blueprint. */
export const checks: readonly FeatureCheck[] = [
  signInCheck,
  aSwitch('openapi'),
  aSwitch('authorizationTests'),
  aSwitch('requestLimit'),
  aSwitch('metrics'),
  aSwitch('tracing'),
  readerThreadsCheck,
  replicasCheck,
  timestampsByCheck,
  clientCheck,
  transactionsCheck,
  versionsCheck,
  softDeletesCheck,
  dryRunCheck,
  idempotencyCheck,
  bulkCheck,
  globalSearchCheck,
  fullTextCheck,
  readsCheck,
  treesCheck,
  ownFiltersCheck,
  countsCheck,
  csvExportCheck,
  relationFiltersCheck,
  aggregatesCheck,
  upsertCheck,
  nestedCreateCheck,
  nestedPivotsCheck,
  spokenLanguagesCheck,
]
