import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Askable } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import type { MatchType } from '../../model/matching.js'
import { maySeeSome } from '../../policy/gates.js'
import { sortKeys } from '../../query/filter.js'
import { accessBehind, isLink, maySeeEntry, relatedOf } from '../relations/entries.js'

export const lists = ['matches', 'sortables', 'searchables', 'filters'] as const

export type AskableList = (typeof lists)[number]

/** What the manifest says of fields to people, by name. */
export type Texts = Readonly<
  Record<string, Pick<Askable, 'label' | 'placeholder' | 'description'> | undefined>
>

/** A row of the answer: what is not known of it is not there. */
export interface AskableRow extends Omit<Askable, 'list'> {
  readonly label: string
}

/** All that this user may ask of lists, in the order in which it is declared. */
export async function askables(
  access: Access,
  asked: readonly AskableList[],
  texts: Texts,
): Promise<Partial<Record<AskableList, readonly AskableRow[]>>> {
  const all = [
    ...matchedBy(access),
    ...(await sortedBy(access)),
    ...searchedIn(access),
    ...access.extensions.flatMap((each) => each.read?.askable?.(access) ?? []),
  ]
  return Object.fromEntries(
    lists
      .filter((list) => asked.includes(list))
      .map((list) => [
        list,
        joined(
          all.filter((each) => each.list === list),
          texts,
        ),
      ]),
  )
}

/** Joins what several features say about one key into one row. */
function joined(all: readonly Askable[], texts: Texts): readonly AskableRow[] {
  const rows = new Map<string, AskableRow>()
  for (const { list: _, ...said } of all) {
    const { key } = said
    const known = rows.get(key) ?? Object.assign({ key, label: labelOf(key) }, getOwn(texts, key))
    rows.set(key, { ...known, ...said })
  }
  return [...rows.values()]
}

/** `published_at` is `Published at`, `owner.name` is `Owner name`. */
function labelOf(key: string): string {
  const words = key
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

const matchedBy = (access: Access): readonly Askable[] =>
  Object.entries(access.entity.match?.types ?? {}).flatMap(([key, type]) =>
    type === undefined || !maySeeSome(access, key) ? [] : [matchRow(access, key, type)],
  )

function matchRow({ entity }: Access, key: string, type: MatchType): Askable {
  const target = entity.relations?.targets.get(key)?.().definition.key
  const row = {
    list: 'matches',
    key,
    ...(target === undefined ? {} : { repository: target }),
  } as const
  if (typeof type !== 'string') return { ...row, kind: 'select', options: type }
  return { ...row, kind: columnNamed(entity, key).kind, type }
}

async function sortedBy(access: Access): Promise<readonly Askable[]> {
  return (await sortKeys(access)).map((key) => ({ list: 'sortables', key }))
}

/** Own columns, and those of records that one belongs to. */
function searchedIn(access: Access): readonly Askable[] {
  const { searchable = [] } = access.entity
  const own = searchable.filter((name) => maySeeSome(access, name))
  const through = [...(relatedOf(access.entity)?.entries.values() ?? [])].flatMap((entry) => {
    if (!isLink(entry) || !('searchable' in entry.relation) || !maySeeEntry(access, entry))
      return []
    const behind = accessBehind(access, entry)
    const names = entry.relation.searchable.filter((name) => maySeeSome(behind, name))
    return names.map((name) => `${entry.key}.${name}`)
  })
  return [...own, ...through].map((key) => ({ list: 'searchables', key }))
}
