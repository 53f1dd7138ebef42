import type { FeatureReader } from '../../write/feature.js'
import { readCodeNames, readerIn } from '../../write/project/code-names.js'
import { readGraphql } from './read/config.js'

export const graphqlReader: FeatureReader = {
  readConfig: (root, blueprint, instead) => readGraphql(root, blueprint, instead.graphql),
  // Inputs that say what is required depend on policies and hooks.
  readCode: async (target, blueprint, { graphql }) => {
    const isPrecise = graphql?.settings.enabled === true && graphql.settings.schema.precise
    if (!isPrecise) return {}
    return { graphql: { ...graphql, code: await readCodeNames(readerIn(target), blueprint) } }
  },
}
