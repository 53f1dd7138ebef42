import { isInBlueprint } from '../feature.js'
import type { FeatureReader } from '../reader.js'
import { readersOfDocument, readOpenapi } from './read/facts.js'

export const openapiReader: FeatureReader = {
  name: 'openapi',
  configKeys: { docs: { document: true, page: true } },
  readCode: async (target, blueprint) =>
    isInBlueprint('openapi', blueprint) ? { openapi: await readOpenapi(target, blueprint) } : {},
  isServed: async (target, blueprint) => (await readersOfDocument(target, blueprint)) !== 'off',
}
