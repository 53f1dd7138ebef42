import type { FeatureCheck } from '../check.js'
import { writableKeys } from '../nested-create/check.js'

/** Records with which records of many-to-many relations belong to them, in one request. */
export const nestedPivotsCheck: FeatureCheck = {
  name: 'nestedPivots',
  facts: (_, { drafts }) => {
    const all = drafts.flatMap((draft) => {
      const keys = writableKeys(draft, ({ pivot }) => pivot !== null)
      return keys.length === 0 ? [] : [[draft.key, keys] as const]
    })
    return all.length === 0 ? undefined : Object.fromEntries(all)
  },
}
