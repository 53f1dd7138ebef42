import type { FeatureReader } from '../../write/feature.js'

export const idempotencyReader: FeatureReader = {
  configKeys: { idempotency: { hours: true, running_seconds: true } },
}
