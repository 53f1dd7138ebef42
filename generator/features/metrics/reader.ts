import type { FeatureReader } from '../../write/feature.js'

export const metricsReader: FeatureReader = {
  configKeys: { operations: { slow_statement_ms: true } },
}
