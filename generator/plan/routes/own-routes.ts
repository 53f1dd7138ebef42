import type { Project } from '../project.js'
import type { KnownRoute } from './routes.js'

/** Routes of features, beside those of the API, in the order of their paths. */
export const ownRoutes = (project: Project): readonly KnownRoute[] =>
  project.features
    .flatMap(({ routes }) => routes?.(project) ?? [])
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
