import type { Context, EntityDraft } from '../../blueprint/entity-draft.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { aTruth, names, type Shape } from '../../blueprint/fields/shapes.js'
import { MANIFEST, nearest, type Finding } from '../../blueprint/problems.js'
import { columnName } from '../../blueprint/relations/foreign-keys.js'
import type { Link } from '../../blueprint/relations/link.js'
import type { Manifest } from '../../manifest/manifest.js'

const name = 'timestampsBy'

const trueOrNames: Shape = {
  says: 'true, false or a list of repositories',
  example: 'true',
  holds: (value) => aTruth.holds(value) || names.holds(value),
}

export const timestampsByCheck: FeatureCheck = {
  options: { [name]: trueOrNames },
  facts: (manifest, context) => {
    const keys = stampedBy(manifest, context).map(({ key }) => key)
    return keys.length === 0 ? undefined : keys
  },
  links,
}

/** The repositories that it is for; those that are not there are reported by `links`. */
function stampedBy({ timestampsBy }: Manifest, { drafts, named, auth }: Context) {
  if (auth === null) return []
  if (timestampsBy === true) {
    return drafts.filter(({ definition }) => definition.timestamps !== false)
  }
  if (!names.holds(timestampsBy) || !Array.isArray(timestampsBy)) return []
  return [...new Set<string>(timestampsBy)].flatMap((each) => named.get(each) ?? [])
}

/**
 * Adds the relations to who wrote. They are included, and have no routes: two below every record were noise. A repository that
 * declares one of them has its routes, and it is filled in the same way.
 */
function links(manifest: Manifest, context: Context, declared: readonly Link[]): readonly Link[] {
  const { timestampsBy } = manifest
  const { auth, named, report } = context
  const isAsked = timestampsBy === true || (Array.isArray(timestampsBy) && timestampsBy.length > 0)
  if (auth === null) {
    if (isAsked) report(withoutUsers)
    return declared
  }
  if (Array.isArray(timestampsBy) && names.holds(timestampsBy)) {
    for (const [at, each] of timestampsBy.entries()) {
      if (!named.has(each)) report(unknown(each, at, [...named.keys()]))
    }
  }
  const filled = new Set<Link>()
  const added = stampedBy(manifest, context).flatMap((draft) =>
    ['created_by', 'updated_by'].flatMap((key) => {
      const link = linkTo(auth, draft, key)
      const own = declared.find((each) => isDeclared(each, link))
      if (own !== undefined) {
        filled.add(own)
        return []
      }
      const other = takenBy(link, declared)
      if (other === undefined) return link
      report(taken(draft, other, key, auth))
      return []
    }),
  )
  return [
    ...declared.map((each) => (filled.has(each) ? { ...each, feature: name } : each)),
    ...added,
  ]
}

const linkTo = (to: EntityDraft, from: EntityDraft, key: string): Link => ({
  ...{ from, to, key, name: key, kind: 'belongsTo', feature: name, routes: false },
  ...{ nullable: true, isReadonly: true, options: { onDelete: 'setNull' } },
})

/** The manifest declares the very relation: nobody writes it, and it may be empty. */
const isDeclared = (declared: Link, link: Link) =>
  declared.from === link.from &&
  declared.to === link.to &&
  declared.kind === 'belongsTo' &&
  declared.key === link.key &&
  columnName(declared) === columnName(link) &&
  declared.nullable &&
  declared.isReadonly

/** The key of what has one of its names already. */
function takenBy(link: Link, declared: readonly Link[]): string | undefined {
  const { from, key } = link
  const ours = [key, columnName(link)]
  const { fields, related = {} } = from.definition
  const written = [...Object.keys(fields), ...Object.keys(related)]
  const others = declared.filter((each) => each.from === from && each.kind === 'belongsTo')
  const meeting = others.find((each) => ours.includes(each.name) || ours.includes(columnName(each)))
  return written.find((each) => ours.includes(each.toLowerCase())) ?? meeting?.key
}

const withoutUsers: Finding = {
  rule: 'timestamps-by-without-users',
  at: [MANIFEST, name],
  message: 'timestampsBy notes who wrote a record, and there is no auth repository',
  fix: "a repository 'users' with the fields email: email() and password: password(), or leave it out",
}

const unknown = (written: string, at: number, known: readonly string[]): Finding => ({
  rule: 'timestamps-by-unknown',
  at: [MANIFEST, name, at],
  message: `timestampsBy names '${written}', and there is no such repository`,
  known: known.toSorted(),
  fix: `'${nearest(written, known) ?? known[0] ?? ''}'`,
})

const taken = (draft: EntityDraft, other: string, key: string, auth: EntityDraft): Finding => ({
  rule: 'timestamps-by-taken',
  at: [draft.path, Object.hasOwn(draft.definition.fields, other) ? 'fields' : 'related', other],
  message: `timestampsBy adds the relation '${key}' and its column '${key}_id' to '${draft.path}', which has one of them as '${other}' already`,
  fix: `leave '${other}' out, rename it and its column, declare ${key}: belongsTo('${auth.path}').nullable().readonly(), or name the other repositories: timestampsBy: ['…']`,
})
