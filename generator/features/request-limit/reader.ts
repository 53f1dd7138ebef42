import type { FeatureReader } from '../reader.js'

export const requestLimitReader: FeatureReader = {
  name: 'requestLimit',
  configKeys: { requests: { per_minute: true, enforced: true } },
}
