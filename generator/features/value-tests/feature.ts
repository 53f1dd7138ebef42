import { hasTested } from '../../plan/views/tested-entities.js'
import type { Feature } from '../../write/feature.js'
import { sharedValues, valuesOf, valuesView } from './view.js'

/** That no value is lost on any surface. Every project has them; they are here for what they know of other features. */
export const valueTests: Feature = {
  name: 'valueTests',
  isOn: () => true,
  outputs: [
    {
      of: 'project',
      path: 'tests/values.test.ts',
      owner: 'svc',
      view: valuesView,
      when: hasTested,
    },
  ],
  slots: sharedValues,
  entitySlots: valuesOf,
}
