import { columnsOf, inRelated, isVisible, type Context, type EntityDraft } from './entity-draft.js'
import { isRecord } from './fields/shapes.js'
import { nearest } from './problems.js'
import type { Link } from './relations/link.js'

/** Resolves bare strings and computed entries, now that every column and relation is known. */
export function checkMembers(draft: EntityDraft, links: readonly Link[], context: Context): void {
  for (const [key, entry] of Object.entries<unknown>(draft.definition.related ?? {})) {
    if (!isRecord(entry)) continue
    if (entry['type'] === 'member') addMember(draft, key, links, context)
    if (entry['type'] === 'computed') checkComputed(draft, key, links, context)
  }
}

function addMember(
  draft: EntityDraft,
  key: string,
  links: readonly Link[],
  { report }: Context,
): void {
  const column = columnsOf(draft).find(({ name }) => name === key)
  const isRelation = links.some(({ name }) => name === key)
  if (isRelation || (column !== undefined && isVisible(column))) {
    draft.members.push({ key, of: isRelation ? 'relation' : 'field' })
    return
  }
  const fields = columnsOf(draft).filter(isVisible)
  const known = [...fields, ...links].map(({ name }) => name)
  const meant = nearest(key, known)
  report({
    rule: 'member',
    at: inRelated(draft, key),
    message:
      column === undefined
        ? `related '${key}' is a member(), and '${draft.path}' has no visible field and no relation called that`
        : `related '${key}' is a member(), and the field '${key}' is hidden`,
    known,
    fix: meant === undefined ? `leave '${key}' out` : `${meant}: member()`,
  })
}

function checkComputed(
  draft: EntityDraft,
  key: string,
  links: readonly Link[],
  { report }: Context,
): void {
  const isColumn = columnsOf(draft).some(({ name }) => name.toLowerCase() === key.toLowerCase())
  if (!isColumn && !links.some(({ name }) => name === key)) return
  report({
    rule: 'relation-named-as-column',
    at: inRelated(draft, key),
    message: `related '${key}' is computed(), and has the name of a ${isColumn ? 'column' : 'relation'} of '${draft.path}'`,
    fix: 'rename one of them',
  })
}
