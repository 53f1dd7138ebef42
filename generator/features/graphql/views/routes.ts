import type { Project } from '../../../plan/project.js'
import { specifierOf } from '../../../source/specifiers.js'

export interface GraphqlRoutesView {
  /** The endpoint as routes/ imports it. */
  readonly endpoint: string
}

export const graphqlRoutesView = ({ derived }: Project): GraphqlRoutesView => ({
  endpoint: specifierOf(`${derived.graphql.settings.output.path}/endpoint.ts`, 'routes/graphql.ts'),
})
