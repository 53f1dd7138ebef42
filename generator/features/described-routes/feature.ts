import type { Feature } from '../../write/feature.js'
import { describedPath } from './paths.js'
import { describedRoutesReader } from './reader.js'

export const describedRoutes: Feature = {
  name: 'describedRoutes',
  reader: describedRoutesReader,
  isOn: ({ facts }) => facts.openapi !== undefined && facts.openapi.described !== null,
  files: async ({ facts }) => {
    const content = `${JSON.stringify(facts.openapi?.described, null, 2)}\n`
    return [{ path: describedPath, content, owner: 'svc' }]
  },
}
