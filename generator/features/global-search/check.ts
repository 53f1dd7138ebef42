import { isVisible, type EntityDraft } from '../../blueprint/entity-draft.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { isRecord, type Shape } from '../../blueprint/fields/shapes.js'
import { nearest, type Finding, type Path } from '../../blueprint/problems.js'
import type { Blueprint } from '../../blueprint/types.js'
import { kindOf } from '../../kinds/kinds.js'

const globalSearch: Shape = {
  says: 'true, false or an object with subtitle, the name of a field',
  example: 'true',
  holds: (value) => typeof value === 'boolean' || isOptions(value),
}

const isOptions = (value: unknown) =>
  isRecord(value) &&
  Object.keys(value).every((key) => key === 'subtitle') &&
  ['undefined', 'string'].includes(typeof value['subtitle'])

/** Each is asked in a statement of its own. */
const mostRepositories = 20

/** One address that finds records of several repositories. */
export const globalSearchCheck: FeatureCheck = {
  repositoryOptions: { globalSearch },
  facts: (_, context) => {
    const { drafts, report } = context
    const asked = drafts.filter(({ definition: { globalSearch: said = false } }) => said !== false)
    if (asked.length === 0) return undefined
    for (const each of [...asked.flatMap(problemsOf), ...tooMany(asked)]) report(each)
    return asked.map((draft) => ({ key: draft.key, subtitle: subtitleOf(draft) }))
  },
}

// A type, and no interface: it is JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type Searched = {
  readonly key: string
  readonly subtitle: string | null
}

/** Reads the repositories that are searched, in the order of the manifest. */
export const searchedIn = ({ features }: Pick<Blueprint, 'features'>): readonly Searched[] =>
  // Made above.
  (features['globalSearch'] ?? []) as readonly Searched[]

function subtitleOf({ definition: { globalSearch: said } }: EntityDraft): string | null {
  return typeof said === 'object' ? (said.subtitle ?? null) : null
}

function problemsOf(draft: EntityDraft): readonly Finding[] {
  const { path, definition } = draft
  const at = [path, 'globalSearch']
  const fields = draft.fields.filter(isVisible)
  const named = fields.filter(({ kind }) => kindOf(kind).isSortable).map(({ name }) => name)
  const example = fields.find(({ kind }) => kind === 'text')?.name ?? named[0] ?? 'name'
  return [
    ...(definition.title === undefined
      ? [
          {
            rule: 'global-search-title',
            at,
            message: `'${path}' is in globalSearch, and has no title to show`,
            fix: `title: '${example}' in '${path}'`,
          },
        ]
      : []),
    ...((definition.searchable ?? []).length === 0
      ? [
          {
            rule: 'global-search-nothing',
            at,
            message: `'${path}' is in globalSearch, and has nothing searchable`,
            fix: `searchable: ['${example}'] in '${path}'`,
          },
        ]
      : []),
    ...wrongSubtitle(subtitleOf(draft), path, at, named),
  ]
}

function wrongSubtitle(
  subtitle: string | null,
  path: string,
  at: Path,
  known: readonly string[],
): readonly Finding[] {
  if (subtitle === null || known.includes(subtitle)) return []
  return [
    {
      rule: 'global-search-subtitle',
      at: [...at, 'subtitle'],
      message: `'${subtitle}' is not a field of '${path}' that everyone may see and that fits on one line`,
      known,
      fix: `'${nearest(subtitle, known) ?? known[0] ?? ''}'`,
    },
  ]
}

const tooMany = (asked: readonly EntityDraft[]): readonly Finding[] =>
  asked.slice(mostRepositories).map(({ path }) => ({
    rule: 'global-search-many',
    at: [path, 'globalSearch'],
    message: `globalSearch looks through ${mostRepositories} repositories at most, a statement for each, and '${path}' is one more`,
    fix: `leave it out of '${path}'`,
  }))
