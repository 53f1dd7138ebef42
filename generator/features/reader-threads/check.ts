import type { FeatureCheck } from '../../blueprint/feature.js'
import { aSwitch } from '../a-switch.js'

export const readerThreadsCheck: FeatureCheck = {
  ...aSwitch('readerThreads'),
  // PostgreSQL has processes for that: the option may stay when the database changes.
  facts: ({ readerThreads, database }) =>
    readerThreads === true && database === 'sqlite' ? true : undefined,
}
