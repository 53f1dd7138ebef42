import type { Entity } from '../../blueprint/types.js'
import type { Project, Surroundings } from '../project.js'
import type { Owner } from '../status.js'

interface Common {
  /** In the project, and with `.hbs` in `templates/`. `Name` stands for the repository's name. */
  readonly path: string
  readonly owner: Owner
  /**
   * The template's own layout is what the formatter would make, unless a long name pushes a line over the edge; a test
   * holds it to that. Formatting is two thirds of the time of a run, so what is known to be tidy is not tidied again.
   */
  readonly isTidy?: boolean
}

export interface ProjectOutput extends Common {
  readonly of: 'project'
  readonly view: (project: Project) => object
  readonly when?: (project: Project) => boolean
  /** Returns the path in the project, if the config sets it. */
  readonly at?: (project: Project) => string
}

export interface EntityOutput extends Common {
  readonly of: 'entity'
  readonly view: (entity: Entity, project: Surroundings) => object
  readonly when?: (entity: Entity, project: Surroundings) => boolean
  readonly at?: (entity: Entity, project: Surroundings) => string
}

export type Output = ProjectOutput | EntityOutput
