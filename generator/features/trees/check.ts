import type { EntityDraft } from '../../blueprint/entity-draft.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import type { Finding } from '../../blueprint/problems.js'
import { readsOf } from '../reads/check.js'

/** Checks the searches in bodies. */
export const treesCheck: FeatureCheck = {
  facts: (manifest, { drafts, report }) => {
    const asked = drafts.filter((draft) => readsOf(draft, manifest).includes('trees'))
    for (const each of asked.flatMap(takenBy)) report(each)
    return undefined
  },
}

function takenBy({ path, key, definition }: EntityDraft): readonly Finding[] {
  if (!Object.hasOwn(definition.related ?? {}, 'search')) return []
  return [
    {
      rule: 'trees-taken',
      at: [path, 'related', 'search'],
      message: `'${path}' has 'trees' in reads, and its entry 'search' is called as POST /${key}/search is`,
      fix: `another name for the entry: searches; or reads: […] without 'trees' in '${path}'`,
    },
  ]
}
