import type { ProjectOutput } from './output.js'
import type { Project } from './project.js'
import { matrixView } from './views/matrix.js'

const view = matrixView

const hasMatrix = ({ blueprint }: Project) => blueprint.authorizationTests === true
const hasBoth = (project: Project) => hasMatrix(project) && project.graphql.settings.enabled

const svcOwn = (path: string, when: (project: Project) => boolean): ProjectOutput => {
  return { of: 'project', path, owner: 'svc', view, when }
}

/** Rows of `outputs` that a project with authorization tests has: who may do what, as a table to review. */
export const matrixOutputs: readonly ProjectOutput[] = [
  { of: 'project', path: 'tests/roles.ts', owner: 'you', view, when: hasMatrix },
  svcOwn('tests/authorization.test.ts', hasMatrix),
  svcOwn('tests/matrix/bodies.ts', hasMatrix),
  svcOwn('tests/matrix/cells.ts', hasMatrix),
  svcOwn('tests/matrix/changes.ts', hasMatrix),
  svcOwn('tests/matrix/decisions.ts', hasMatrix),
  svcOwn('tests/matrix/fields.ts', hasMatrix),
  svcOwn('tests/matrix/graphql.ts', hasBoth),
  svcOwn('tests/matrix/graphql-request.ts', hasBoth),
  svcOwn('tests/matrix/links.ts', hasMatrix),
  svcOwn('tests/matrix/outcome.ts', hasMatrix),
  svcOwn('tests/matrix/own.ts', hasMatrix),
  svcOwn('tests/matrix/rest.ts', hasMatrix),
  svcOwn('tests/matrix/scene.ts', hasMatrix),
  svcOwn('tests/matrix/types.ts', hasMatrix),
]
