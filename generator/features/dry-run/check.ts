import { aSwitch, type FeatureCheck } from '../check.js'

export const dryRunCheck: FeatureCheck = aSwitch('dryRun')
