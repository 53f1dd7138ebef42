import type { FeatureReader } from '../reader.js'

export const idempotencyReader: FeatureReader = {
  name: 'idempotency',
  configKeys: { idempotency: { hours: true, running_seconds: true } },
}
