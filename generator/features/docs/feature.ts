import type { Advice } from '../../plan/advice/advice.js'
import { isInBlueprint } from '../../plan/feature.js'
import { projectView } from '../../plan/views/project.js'
import type { Feature } from '../../write/feature.js'

/** The page about the API, which shows the document. */
export const docs: Feature = {
  name: 'docs',
  isOn: ({ blueprint }) => isInBlueprint('openapi', blueprint),
  outputs: [{ of: 'project', path: 'app/OpenApi/explorer.ts', owner: 'svc', view: projectView }],
  page: '/docs',
  configAdvice: ({ docs: settings }) => (isAlwaysShown(settings) ? [shown] : []),
  slots: () => ({
    imports: { 'app/app.ts': [{ from: './OpenApi/explorer.js', names: ['explorer', 'why'] }] },
    app_before_routes: ["if (env.NODE_ENV === 'development') app.use(why) // of what is denied"],
    app_routes: ["app.route('/', explorer) // /docs, where `docs.page` of config/svc.ts wants it"],
  }),
  texts: ({ runtime }) => ({
    routes: [
      {
        route: '`/docs`',
        what: 'in development, a page to see and change the data and to try requests',
      },
    ],
    // No build copies what is no code.
    reads: runtime === null ? ['runtime/features/docs/page'] : [],
  }),
}

const isAlwaysShown = (settings: unknown) =>
  typeof settings === 'object' &&
  settings !== null &&
  'page' in settings &&
  settings.page === 'always'

const shown: Advice = {
  rule: 'docs',
  at: 'config/svc.ts',
  message: 'docs.page is always: everybody reads /docs',
  fix: "'development', unless the API is a public one",
}
