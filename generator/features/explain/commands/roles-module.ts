import type { Plugin } from 'esbuild'
import { at, type Target } from '../../../write/target.js'

export const rolesPath = 'tests/roles.ts'

export const hasRoles = (target: Target): boolean =>
  target.files.kind(at(target, rolesPath)) === 'file'

// esbuild keeps the prototype of such a module, which has any name.

/** Answers what it is given, under the names that `users-of-roles.ts` of the runtime reads. */
const makers = `
const made = (name) => (values = {}) => new Proxy({}, {
  get: (_, key) => {
    if (key === 'then') return undefined
    if (key === 'svc.made') return name
    if (key === 'svc.values') return values
    return Object.hasOwn(values, key) ? values[key] : Symbol('made on the way')
  },
})
module.exports = Object.create(new Proxy({}, { get: (_, name) => name === '__esModule' || made(name) }))
`

/** The database at hand is no database of tests: what is done with it there throws. */
const nothing = `
const refuse = () => { throw new Error('not here') }
module.exports = Object.create(new Proxy({}, { get: (_, name) => name === '__esModule' || new Proxy(refuse, { get: refuse }) }))
`

const stubs: Readonly<Record<string, string>> = { makers, nothing }

/** `tests/roles.ts` for asking who its users are: its factories write nothing, and nothing else of the project runs. */
export function rolesModule({ root }: Target): Plugin {
  const stub = (path: keyof typeof stubs) => ({ path, namespace: 'roles' })
  const isInTests = (importer: string) =>
    importer.slice(root.length).replaceAll('\\', '/').startsWith('/tests/')
  return {
    name: 'roles',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^\.\/factories\.js$/ }, ({ importer }) =>
        isInTests(importer) ? stub('makers') : null,
      )
      onResolve({ filter: /^#app\// }, ({ importer }) =>
        isInTests(importer) ? stub('nothing') : null,
      )
      onLoad({ filter: /.*/, namespace: 'roles' }, ({ path }) => ({
        contents: stubs[path] ?? '',
        loader: 'js',
      }))
    },
  }
}
