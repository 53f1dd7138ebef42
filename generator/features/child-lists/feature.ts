import type { Feature } from '../../write/feature.js'
import { listedChildren } from './facts.js'
import { childListsInGraphql } from './graphql.js'

/** A has-many among the fields, or one that the config of GraphQL names: its ids are shown and written there. */
export const childLists: Feature = {
  name: 'childLists',
  isOn: ({ entities, derived }) =>
    entities.some((entity) => listedChildren(entity).length > 0) ||
    Object.keys(derived.graphql.settings.schema.ids).length > 0,
  graphql: childListsInGraphql,
}
