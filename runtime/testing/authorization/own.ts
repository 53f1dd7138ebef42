import type { Decision } from './decided.js'
import type { Line } from './line.js'
import { outcome } from './outcome.js'
import type { Project, Route } from './project.js'

/** The routes of the running app, besides svc's decisions and the owner's statements. */
export interface Served {
  readonly isServed: (decision: Decision) => boolean
  /** Routes that no policy of svc's is asked about, and tests/roles.ts says nothing of. */
  readonly undecided: readonly string[]
  /** Statements of tests/roles.ts about routes that do not exist, GraphQL fields among them. */
  readonly ofNothing: (fields: readonly string[]) => readonly string[]
}

export function servedBy({ app, decided, own }: Project): Served {
  // `use` has no route, only what comes before one.
  const served = app.routes.filter(
    ({ method, handler }) => method !== 'OPTIONS' && (method !== 'ALL' || handler.length < 2),
  )
  // A route for any relation answers 405 where there is no decision.
  const isDecided = (route: Route) =>
    decided.routes.some(
      (each) =>
        isAt(route, each) && (route.method === each[0] || route.path.includes('/:relation')),
    )
  // The search at its other address, where Node supports that method: elsewhere the matrix is the
  // same.
  const isSearch = ({ method, path }: Route) =>
    method === 'QUERY' &&
    decided.routes.some(([, at, does]) => does === 'search' && at === `${path}/search`)
  const names = served.filter((route) => !isDecided(route) && !isSearch(route)).map(nameOf)
  return {
    isServed: (decision) =>
      served.some((route) => route.method === decision[0] && isAt(route, decision)),
    undecided: [...new Set(names)].filter((name) => own[name] === undefined),
    ofNothing: (fields) => {
      const known = new Set([...served.map(nameOf), ...fields])
      return Object.keys(own).filter((name) => !known.has(name))
    },
  }
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** svc's handlers take any relation: `/api/svc/posts/:id/:relation`. */
function isAt({ path }: Route, [, at]: Decision): boolean {
  const parts = path.split('/')
  const wanted = at.split('/')
  const isSame = (part: string, index: number) => part === wanted[index] || part === ':relation'
  return parts.length === wanted.length && parts.every(isSame)
}

/** A line for each route that tests/roles.ts speaks of. */
export function ownLines({ own }: Project): readonly Line[] {
  const routes = Object.entries(own).filter(([name]) => !/^(query|mutation) /.test(name))
  return routes.map(([label, given]): Line => {
    if (typeof given === 'string') {
      return { of: 'Your own', label, words: given, attempt: async () => [] }
    }
    return {
      of: 'Your own',
      label,
      attempt: async (stage) => {
        const scene = await stage.scene()
        const [method = '', path = ''] = label.split(' ')
        const asked = typeof given === 'function' ? await given(scene) : given
        const response = await scene.send(method, asked.path ?? path, asked.body)
        return [{ row: [], outcome: await outcome(response) }]
      },
    }
  })
}
