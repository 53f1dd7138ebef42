import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import type { ClientSettings } from './check.js'
import type { Client } from './names.js'
import { clientAuthView } from './views/auth.js'
import { clientView } from './views/client.js'
import { clientModuleView } from './views/module.js'
import { ownRoutesView } from './views/own-routes.js'
import { clientQueriesView } from './views/queries.js'
import { clientRulesView } from './views/rules.js'

interface Common {
  /** In the folder of the client, and with `.hbs` in `templates/client`. `name` stands for the module of a repository. */
  readonly path: string
  readonly when?: (settings: ClientSettings) => boolean
}

interface SharedOutput extends Common {
  readonly of: 'client'
  readonly view: (client: Client, routes: readonly KnownRoute[]) => object | null
}

interface EntityOutput extends Common {
  readonly of: 'entity'
  readonly view: (entity: Entity, client: Client, routes: readonly KnownRoute[]) => object | null
}

const hasRules = ({ zod }: ClientSettings) => zod
const hasQueries = ({ query }: ClientSettings) => query === 'tanstack'

/** Everything of a client that is made from templates; null is no file. */
export const clientOutputs: readonly (SharedOutput | EntityOutput)[] = [
  { of: 'client', path: 'client.ts', view: clientView },
  { of: 'client', path: 'types.ts', view: clientView },
  {
    of: 'client',
    path: 'auth.ts',
    view: (client, routes) => {
      const { auth } = client.api.project
      return auth === null || routes.length === 0 ? null : clientAuthView(auth, client, routes)
    },
  },
  { of: 'client', path: 'rules/errors.ts', view: clientView, when: hasRules },
  { of: 'client', path: 'own-routes.ts', view: ownRoutesView },
  { of: 'entity', path: 'name.ts', view: clientModuleView },
  {
    of: 'entity',
    path: 'name.queries.ts',
    view: (entity, client, routes) =>
      routes.length === 0 ? null : clientQueriesView(entity, client),
    when: hasQueries,
  },
  { of: 'entity', path: 'name.rules.ts', view: clientRulesView, when: hasRules },
]
