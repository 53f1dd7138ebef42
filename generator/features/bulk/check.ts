import type { EntityDraft } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { isRecord, type Shape } from '../../blueprint/fields/shapes.js'
import type { Finding } from '../../blueprint/problems.js'
import { storedAs } from '../../kinds/kinds.js'

const bulk: Shape = {
  says: 'true, false or an object with max, a whole number from 1 to 100,000',
  example: 'true',
  holds: (value) => typeof value === 'boolean' || isOptions(value),
}

const isOptions = (value: unknown) =>
  isRecord(value) &&
  Object.keys(value).every((key) => key === 'max') &&
  (value['max'] === undefined || isMost(value['max']))

const isMost = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 100_000

/** Many records in one request. */
export const bulkCheck: FeatureCheck = {
  repositoryOptions: { bulk },
  facts: (_, { drafts, report }) => {
    const asked = drafts.filter(({ definition }) => isAsked(definition.bulk))
    for (const each of asked.flatMap(unsettable)) report(each)
    if (asked.length === 0) return undefined
    return Object.fromEntries(asked.map((draft) => [draft.key, { max: mostOf(draft) }]))
  },
}

/** Secrets that every record has, and that no request sets for many records: none could be made. Hooks may fill them. */
function unsettable({ path, definition, fields }: EntityDraft): readonly Finding[] {
  if ((definition.hooks ?? false) !== false) return []
  const found = fields.filter(
    (field) => storedAs(field).isSecret && !field.nullable && !field.readonly,
  )
  return found.map(({ name, kind }) => ({
    rule: 'bulk-secret',
    at: [path, 'fields', name],
    message: `'${path}' has bulk and field '${name}' is required, which no request may set for many records at once: none could be stored so`,
    fix: `${name}: ${kind}().nullable(), to be set later; 'hooks: true' in the repository, to fill it in app/Hooks; or leave bulk out of '${path}'`,
  }))
}

// A type, and no interface: it is JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type Bulk = {
  /** Null: as config/svc.ts says. */
  readonly max: number | null
}

const isAsked = (said: EntityDraft['definition']['bulk']) => said !== undefined && said !== false

const mostOf = ({ definition: { bulk: said } }: EntityDraft): number | null =>
  typeof said === 'object' ? (said.max ?? null) : null

/**
 * Reads a repository's bulk option from the blueprint; null: its records are written one by one.
 */
export const bulkFact = factOf<Bulk>('bulk')
