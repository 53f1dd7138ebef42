import type { Entity } from '../../blueprint/types.js'
import { authView } from '../views/auth.js'
import { configView } from '../views/config.js'
import { controllerView } from '../views/controller.js'
import { databaseView } from '../views/database.js'
import { factoriesView } from '../views/factories.js'
import { hooksView } from '../views/hooks.js'
import { modelsView } from '../views/models.js'
import { packageView } from '../views/package.js'
import { policyView } from '../views/policy.js'
import { prismaView } from '../views/prisma.js'
import { projectView } from '../views/project.js'
import { readmeView } from '../views/readme.js'
import { repositoriesView } from '../views/repositories.js'
import { repositoryView } from '../views/repository.js'
import { resourcesView } from '../views/resources.js'
import { serverView } from '../views/server.js'
import { hasTested } from '../views/tested-entities.js'
import { testedView } from '../views/tested.js'
import type { Output } from './output.js'

/** Everything made from templates. Adding a file: a row here, its template, and a fixture that shows it. */
export const outputs: readonly Output[] = [
  { of: 'project', path: 'app/Models.ts', owner: 'svc', view: modelsView },
  { of: 'entity', path: 'app/Repositories/NameRepository.ts', owner: 'svc', view: repositoryView },
  { of: 'project', path: 'app/Repositories/index.ts', owner: 'svc', view: repositoriesView },
  {
    of: 'entity',
    path: 'app/Http/Controllers/NameController.ts',
    owner: 'svc',
    view: controllerView,
    isTidy: true,
  },
  { of: 'project', path: 'app/Http/middleware.ts', owner: 'svc', view: authView },
  { of: 'project', path: 'app/Http/resources.ts', owner: 'svc', view: resourcesView },
  {
    of: 'entity',
    path: 'app/Policies/NamePolicy.ts',
    owner: 'you',
    view: policyView,
    isTidy: true,
  },
  { of: 'entity', path: 'app/Hooks/NameHooks.ts', owner: 'you', view: hooksView, when: hasHooks },
  { of: 'project', path: 'app/app.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'app/database.ts', owner: 'svc', view: databaseView },
  { of: 'project', path: 'app/env.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'app/log.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'app/migrate.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'app/prisma.ts', owner: 'svc', view: prismaView },
  { of: 'project', path: 'app/server.ts', owner: 'svc', view: serverView },
  { of: 'project', path: 'app/settings.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'config/svc.ts', owner: 'shared', view: configView },
  { of: 'project', path: 'routes/api.ts', owner: 'shared', view: projectView },
  { of: 'project', path: 'tests/client.ts', owner: 'svc', view: authView },
  { of: 'project', path: 'tests/factories.ts', owner: 'svc', view: factoriesView },
  {
    of: 'project',
    path: 'tests/invariants.test.ts',
    owner: 'svc',
    view: authView,
    when: hasTested,
  },
  { of: 'project', path: 'tests/repositories.ts', owner: 'svc', view: testedView },
  { of: 'project', path: 'tests/setup.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'scripts/prisma-client.js', owner: 'svc', view: projectView },
  { of: 'project', path: 'scripts/start.js', owner: 'svc', view: projectView },
  { of: 'project', path: 'package.json', owner: 'shared', view: packageView },
  { of: 'project', path: 'tsconfig.json', owner: 'svc', view: projectView },
  { of: 'project', path: 'tsconfig.build.json', owner: 'svc', view: projectView },
  { of: 'project', path: 'vitest.config.ts', owner: 'svc', view: projectView },
  { of: 'project', path: 'README.md', owner: 'svc', view: readmeView },
  { of: 'project', path: 'AGENTS.md', owner: 'svc', view: readmeView },
  { of: 'project', path: 'Dockerfile', owner: 'svc', view: projectView },
  { of: 'project', path: 'compose.yaml', owner: 'svc', view: projectView },
  { of: 'project', path: '.env.example', owner: 'svc', view: projectView },
  { of: 'project', path: '.gitattributes', owner: 'shared', view: projectView },
  { of: 'project', path: '.gitignore', owner: 'svc', view: projectView },
  { of: 'project', path: '.dockerignore', owner: 'svc', view: projectView },
]

function hasHooks(entity: Entity): boolean {
  return entity.hasHooks
}
