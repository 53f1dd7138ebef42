import type { FeatureReader } from '../../write/feature.js'

export const requestLimitReader: FeatureReader = {
  configKeys: { requests: { per_minute: true, enforced: true } },
}
