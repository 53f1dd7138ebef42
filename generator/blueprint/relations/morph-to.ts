import { findColumn, inRelated, type Context, type EntityDraft } from '../entity-draft.js'
import { aSentence, aText, checkOptions, isRecord, madeBy, type Shapes } from '../fields/shapes.js'
import { isIdentifier } from '../names/names.js'
import { nearest } from '../problems.js'
import type { Link } from './link.js'
import { isMorph, nameOfMorph } from './morphs.js'

export const isMorphTo = (entry: unknown) => madeBy(entry) === 'morphTo'

const OPTIONS: Shapes = { name: aText, description: aSentence }

/** The morphTo entries of a repository, with those that say it is theirs. */
export function addMorphs(draft: EntityDraft, links: readonly Link[], context: Context): void {
  for (const [key, entry] of Object.entries<unknown>(draft.definition.related ?? {})) {
    if (isMorphTo(entry))
      addMorph(draft, key, optionsOf(entry, draft, key, context), links, context)
  }
}

/** Each morphOne and morphMany is spoken of on the other side: a name written in two ways would be two relations. */
export function checkMorphs(links: readonly Link[], { report }: Context): void {
  for (const link of links.filter(isMorph)) {
    const { to, from, key, kind } = link
    const name = nameOfMorph(link)
    const known = namesIn(to)
    if (known.includes(name)) continue
    const meant = nearest(name, known)
    report({
      rule: 'unknown-morph',
      at: inRelated(from, key),
      message: `related '${key}' is ${kind}() by the name '${name}', and '${to.path}' has no morphTo() of that name`,
      known,
      fix:
        meant === undefined
          ? `in '${to.path}': ${name}: morphTo()`
          : `${key}: ${kind}('${to.path}', { name: '${meant}' })`,
    })
  }
}

function namesIn({ definition }: EntityDraft): readonly string[] {
  return Object.entries<unknown>(definition.related ?? {}).flatMap(([key, entry]) => {
    if (!isMorphTo(entry) || !isRecord(entry) || !isRecord(entry['definition'])) return []
    const { options } = entry['definition']
    return isRecord(options) && typeof options['name'] === 'string' ? options['name'] : key
  })
}

interface Options {
  readonly name?: string
  readonly description?: string
}

function optionsOf(entry: unknown, draft: EntityDraft, key: string, { report }: Context): Options {
  const definition = isRecord(entry) && isRecord(entry['definition']) ? entry['definition'] : {}
  const written = isRecord(definition['options']) ? definition['options'] : {}
  // `checkOptions` leaves what has these shapes.
  return checkOptions(written, OPTIONS, {
    at: inRelated(draft, key),
    of: `related '${key}'`,
    report,
  }) as Options
}

function addMorph(
  draft: EntityDraft,
  key: string,
  { name = key, description }: Options,
  links: readonly Link[],
  context: Context,
): void {
  const { report } = context
  const morphs = links.filter((each) => isMorph(each) && each.to === draft)
  const owners = morphs.filter((each) => nameOfMorph(each) === name).map(({ from }) => from)
  const at = inRelated(draft, key)
  const met = findColumn(draft, key)
  if (met !== undefined) {
    report({
      rule: 'relation-named-as-column',
      at,
      message: `related '${key}' has the name of the column '${met.name}' of '${draft.path}'`,
      fix: 'rename one of them',
    })
  }
  if (owners.length === 0) {
    const known = [...new Set(morphs.map(nameOfMorph))]
    const meant = nearest(name, known) ?? known[0]
    report({
      rule: 'morph-unused',
      at,
      message: `related '${key}' is morphTo() by the name '${name}', and no morphOne or morphMany of that name points at '${draft.path}'`,
      known,
      fix:
        meant === undefined || !isIdentifier(meant)
          ? `in the repository it belongs to: ${draft.path}: morphMany({ name: '${name}' })`
          : `${key}: morphTo({ name: '${meant}' })`,
    })
    return
  }
  draft.morphTo.push({
    key,
    foreignKey: `${name}_id`,
    morphType: `${name}_type`,
    targets: context.drafts.filter((each) => owners.includes(each)).map((each) => each.key),
    ...(description === undefined ? {} : { description }),
  })
}
