import type { FeatureReader } from '../reader.js'

export const metricsReader: FeatureReader = {
  name: 'metrics',
  configKeys: { operations: { slow_statement_ms: true } },
}
