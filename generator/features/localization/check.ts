import type { Context } from '../../blueprint/entity-draft.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { names } from '../../blueprint/fields/shapes.js'
import { MANIFEST } from '../../blueprint/problems.js'
import type { Blueprint } from '../../blueprint/types.js'

export const localizationCheck: FeatureCheck = {
  options: { messages: { ...names, says: 'a list of languages', example: "['it']" } },
  facts: ({ messages }, context) => {
    if (!names.holds(messages)) return undefined
    const languages = messages ?? []
    for (const [at, language] of languages.entries())
      checkLanguage(language, at, languages, context)
    return languages.length === 0 ? undefined : languages
  },
}

/** The languages that the manifest lists. */
export const languagesOf = ({ features }: Blueprint) =>
  (features['localization'] ?? []) as readonly string[] // as `facts` says it

function checkLanguage(
  language: string,
  at: number,
  all: readonly string[],
  { report }: Context,
): void {
  const found = canonical(language)
  const isTwice = all.indexOf(language) < at
  if (found === language && !isTwice) return
  report({
    rule: 'language',
    at: [MANIFEST, 'messages', at],
    message: isTwice
      ? `messages lists '${language}' twice`
      : `messages lists '${language}', which is not a language tag like 'it' or 'pt-BR'`,
    fix: isTwice ? 'list it once' : `'${found ?? 'it'}'`,
  })
}

function canonical(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0]
  } catch {
    return undefined
  }
}
