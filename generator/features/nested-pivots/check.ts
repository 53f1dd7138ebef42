import { inRelated } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { writableKeys } from '../nested-create/check.js'

/** Records with which records of many-to-many relations belong to them, in one request. */
export const nestedPivotsCheck: FeatureCheck = {
  facts: (_, { drafts, report }) => {
    const byKey = new Map(drafts.map((draft) => [draft.key, draft]))
    const all = drafts.flatMap((draft) => {
      const keys = writableKeys(draft, ({ pivot }) => pivot !== null)
      for (const { key, target } of draft.relations.filter((each) => keys.includes(each.key))) {
        const related = byKey.get(target)
        if (related?.fields.some(({ name }) => name === 'pivots') !== true) continue
        report({
          rule: 'writable-pivots',
          at: inRelated(draft, key),
          message: `related '${key}' is writable, and '${related.path}' has a field 'pivots': a body that names its records could not say which is meant`,
          fix: `give the field another name, or leave \`writable\` out of '${key}'`,
        })
      }
      return keys.length === 0 ? [] : [[draft.key, keys] as const]
    })
    return all.length === 0 ? undefined : Object.fromEntries(all)
  },
}

/** Keys of those relations. */
export const nestedPivotsFact = factOf<readonly string[]>('nestedPivots')
