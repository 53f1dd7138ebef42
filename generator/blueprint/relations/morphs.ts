import type { KeyKind } from '../../kinds/kinds.js'
import { column, findColumn, inRelated, type Context, type EntityDraft } from '../entity-draft.js'
import { morphName } from '../names/names.js'
import type { Link } from './link.js'

export const isMorph = ({ kind }: Link) => kind === 'morphOne' || kind === 'morphMany'

/** `imageable` of a morph that does not say: its related record's stem and `able`. */
export const nameOfMorph = ({ options, to }: Link) => options.name ?? morphName(to.names.stem)

/** Adds `<name>_type` and `<name>_id` to the tables that morphs point at, each pair once. */
export function addMorphColumns(links: readonly Link[], context: Context): void {
  const done = new Set<string>()
  for (const link of links.filter(isMorph)) {
    const name = nameOfMorph(link)
    const pair = `${link.to.path} ${name}`
    if (done.has(pair)) continue
    done.add(pair)
    const owners = links.filter(
      (each) => isMorph(each) && each.to === link.to && nameOfMorph(each) === name,
    )
    addPair(link, name, owners, context)
  }
}

/** Returns the kind that can hold the ids of all of them: text, when they are of several kinds. */
export function commonKind(owners: readonly EntityDraft[]): KeyKind {
  const kinds = new Set(owners.map(({ id }) => id))
  return kinds.size === 1 ? (owners[0]?.id ?? 'integer') : 'text'
}

/**
 * Reads the effect of deleting a record on those that belong to it: one of its entries says it;
 * otherwise none may be left.
 */
function ownersOf(owners: readonly Link[]) {
  const drafts = [...new Set(owners.map(({ from }) => from))]
  return drafts.map((from) => {
    const own = owners.filter((each) => each.from === from)
    const said = own.find(({ options }) => options.onDelete !== undefined)
    return { entity: from.key, onDelete: said?.options.onDelete ?? ('restrict' as const) }
  })
}

function addPair(link: Link, name: string, owners: readonly Link[], { report }: Context): void {
  const kind = commonKind(owners.map(({ from }) => from))
  const shared = { nullable: true, readonly: true, indexed: true }
  const pair = [
    column({
      name: `${name}_type`,
      role: 'morphType',
      kind: 'text',
      ...shared,
      owners: ownersOf(owners),
    }),
    column({ name: `${name}_id`, role: 'morphId', kind, ...shared }),
  ]
  const taken = pair.find((each) => findColumn(link.to, each.name) !== undefined)
  if (taken === undefined) {
    link.to.morphs.push(...pair)
    return
  }
  report({
    rule: 'column-twice',
    at: inRelated(link.from, link.key),
    message: `related '${link.key}' makes the column '${taken.name}' of '${link.to.path}', and there is one already`,
    fix: `${link.key}: ${link.kind}('${link.to.path}', { name: '${link.name}_owner' })`,
  })
}
