import type { FeatureCheck } from '../../blueprint/feature.js'
import { aSwitch } from '../a-switch.js'

export const dryRunCheck: FeatureCheck = aSwitch('dryRun')
