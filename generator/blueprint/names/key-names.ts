import type { Context, EntityDraft } from '../entity-draft.js'
import type { Link } from '../relations/link.js'

/** Some SQL names a key `id`: signing in, folded texts, and the triggers of morphs. */
export function checkKeyNames(links: readonly Link[], { drafts, auth, report }: Context): void {
  for (const draft of drafts) {
    const { key = 'id' } = draft.definition
    const use = key === 'id' ? null : useOf(draft, links, auth)
    if (use === null) continue
    report({
      rule: 'key-name',
      at: [draft.path, 'key'],
      message: `the key of '${draft.path}' is called '${key}', and ${use}: that needs a key called 'id'`,
      fix: `leave one of the two out`,
    })
  }
}

function useOf(
  draft: EntityDraft,
  links: readonly Link[],
  auth: EntityDraft | null,
): string | null {
  if (draft === auth) return 'its rows sign in'
  const folded = draft.fields.find((field) => field.folded !== undefined)
  if (folded !== undefined) return `'${folded.name}' is folded`
  const morph = links.find(
    ({ kind, from, to }) => kind.startsWith('morph') && (from === draft || to === draft),
  )
  return morph === undefined ? null : `'${morph.key}' is a morph`
}
