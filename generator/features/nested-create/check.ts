import type { EntityDraft } from '../../blueprint/entity-draft.js'
import { inRelated } from '../../blueprint/entity-draft.js'
import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { aTruth, isRecord } from '../../blueprint/fields/shapes.js'
import type { Finding } from '../../blueprint/problems.js'
import type { Relation } from '../../blueprint/types.js'
import { storedAs } from '../../kinds/kinds.js'

/** New records with others that belong to them, in one request. */
export const nestedCreateCheck: FeatureCheck = {
  hasOptions: { writable: aTruth },
  facts: (_, { drafts, report }) => {
    const byKey = new Map(drafts.map((draft) => [draft.key, draft]))
    const all = drafts.flatMap((draft) => {
      const keys = writableKeys(draft, ({ pivot, kind }) => pivot === null && kind !== 'belongsTo')
      return keys.length === 0 ? [] : [[draft, keys] as const]
    })
    for (const [draft, keys] of all) {
      for (const relation of draft.relations.filter(({ key }) => keys.includes(key))) {
        const target = byKey.get(relation.target)
        for (const each of target === undefined ? [] : unsettable(draft, relation, target)) {
          report(each)
        }
      }
    }
    if (all.length === 0) return undefined
    return Object.fromEntries(all.map(([{ key }, keys]) => [key, keys]))
  },
}

/** Keys of the relations of such a kind that say `writable: true`. */
export const writableKeys = (
  draft: EntityDraft,
  isOfKind: (relation: Relation) => boolean,
): readonly string[] =>
  draft.relations.filter((each) => isOfKind(each) && isAsked(draft, each)).map(({ key }) => key)

/** As the manifest writes it, among the relations or the fields. */
function isAsked({ definition }: EntityDraft, { key, feature }: Relation): boolean {
  const entries: Readonly<Record<string, unknown>> = {
    ...definition.fields,
    ...definition.related,
  }
  const entry = feature === undefined && Object.hasOwn(entries, key) ? entries[key] : undefined
  const said = isRecord(entry) ? entry['definition'] : undefined
  const options = isRecord(said) ? said['options'] : undefined
  return isRecord(options) && options['writable'] === true
}

/** Secrets that every record has, and that no request sets for many records. Hooks may fill them. */
function unsettable(
  draft: EntityDraft,
  { key, kind }: Relation,
  { path, definition, fields }: EntityDraft,
): readonly Finding[] {
  if ((definition.hooks ?? false) !== false) return []
  const found = fields.filter(
    (field) => storedAs(field).isSecret && !field.nullable && !field.readonly,
  )
  return found.map(({ name, kind: of }) => ({
    rule: 'writable-secret',
    at: inRelated(draft, key),
    message: `related '${key}' is writable, and '${path}' requires its field '${name}', which no request may set for many records at once: none could be made so`,
    fix: `${name}: ${of}().nullable(), to be set later; 'hooks: true' in '${path}', to fill it in app/Hooks; or ${key}: ${kind}()`,
  }))
}

/** Keys of the relations whose records the body of a new record may hold. */
export const nestedCreateFact = factOf<readonly string[]>('nestedCreate')
