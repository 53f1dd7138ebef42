import type { FeatureCheck } from '../../blueprint/feature.js'
import { oneOf } from '../../blueprint/fields/shapes.js'
import type { Blueprint } from '../../blueprint/types.js'

/** Hooks inside the transaction of a write, and mutations that are one. */
export const transactionsCheck: FeatureCheck = {
  options: { mutations: oneOf('together') },
  facts: (manifest, { drafts }) => {
    const inside = drafts.filter(({ definition }) => definition.hooks === 'inside')
    const areTogether = manifest.mutations === 'together'
    // A request that is remembered is one, and so are an action and what is rolled back.
    const hasActions = drafts.some(({ definition }) => definition.actions !== undefined)
    const isOneElse = manifest.idempotency === true || manifest.dryRun === true || hasActions
    return inside.length === 0 && !areTogether && !isOneElse
      ? undefined
      : { inside: inside.map(({ key }) => key), areTogether }
  },
}

export interface TransactionFacts {
  /** URI keys of repositories with hooks inside. */
  readonly inside: readonly string[]
  readonly areTogether: boolean
}

/** Reads the transactions option from the blueprint. */
export const transactionsOf = ({ features }: Blueprint): TransactionFacts =>
  // Made above.
  (features['transactions'] as TransactionFacts | undefined) ?? { inside: [], areTogether: false }
