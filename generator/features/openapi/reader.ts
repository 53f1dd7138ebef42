import { isInBlueprint } from '../../plan/feature.js'
import type { FeatureReader } from '../../write/feature.js'
import { readersOfDocument, readOpenapi } from './read/facts.js'

export const openapiReader: FeatureReader = {
  configKeys: { docs: { document: true, page: true } },
  readCode: async (target, blueprint) =>
    isInBlueprint('openapi', blueprint) ? { openapi: await readOpenapi(target, blueprint) } : {},
  isServed: async (target, blueprint) => (await readersOfDocument(target, blueprint)) !== 'off',
}
