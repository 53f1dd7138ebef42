import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Env, Hono } from 'hono'
import { notFound } from '../../errors.js'
import { prefixOf } from '../../http/prefix.js'
import { wantsPage } from './negotiate.js'

/** They come with svckit, or from these packages without it: nothing is fetched from elsewhere. */
const files: Readonly<Record<string, readonly [name: string, path: string, type: string]>> = {
  'react.js': ['react', 'umd/react.production.min.js', 'text/javascript'],
  'react-dom.js': ['react-dom', 'umd/react-dom.production.min.js', 'text/javascript'],
  'graphiql.js': ['graphiql', 'graphiql.min.js', 'text/javascript'],
  'graphiql.css': ['graphiql', 'graphiql.min.css', 'text/css'],
}

/** Its dialogs add this style while they are open, so that the page behind does not scroll. */
const scrollLock = "'sha256-Y/huXlwoYkVyQlxwSVcCi1RCDGDCSVBzDt0hYP9qlTc='"

/** Nothing else inline, nothing from elsewhere: its style sheet has icons and fonts as data. */
const policy =
  `default-src 'none'; script-src 'self'; style-src 'self' ${scrollLock}; img-src data:; ` +
  "font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page for browsers, and its files below `/graphiql/`. */
export function graphiql<E extends Env>(app: Hono<E>): void {
  app.get('/graphiql/:file', async (c) => {
    const name = c.req.param('file')
    const own = Object.hasOwn(ours, name) ? ours[name] : undefined
    if (own !== undefined) return c.body(own.text, 200, { 'Content-Type': contentType(own.type) })
    const found = Object.hasOwn(files, name) ? files[name] : undefined
    if (found === undefined) throw notFound()
    const [dependency, path, type] = found
    const bundled = await readInstalled('svckit', `dist/graphiql/${name}`)
    const text = bundled ?? (await readInstalled(dependency, path))
    if (text === null) return c.text('npm install --save-dev graphiql@3 react@18 react-dom@18', 404)
    return c.body(text, 200, { 'Content-Type': contentType(type) })
  })
  app.get('/', async (c, next) => {
    if (!wantsPage(c.req.header('accept')) || c.req.query('query') !== undefined) return next()
    return c.html(page(prefixOf(c) + c.req.path.replace(/\/$/, '')), 200, {
      'Content-Security-Policy': policy,
    })
  })
}

const contentType = (type: string) => `${type}; charset=utf-8`

/** A file of a package of the project, by its folder: `exports` does not name them all. */
async function readInstalled(dependency: string, path: string): Promise<string | null> {
  try {
    const { resolve } = createRequire(join(process.cwd(), 'package.json'))
    const folder = dirname(resolve(`${dependency}/package.json`))
    return await readFile(join(folder, path), 'utf8')
  } catch {
    return null
  }
}

const page = (path: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${path}/graphiql/graphiql.css">
<link rel="stylesheet" href="${path}/graphiql/page.css">
</head>
<body>
<div id="graphiql">Loading…</div>
<script src="${path}/graphiql/react.js"></script>
<script src="${path}/graphiql/react-dom.js"></script>
<script src="${path}/graphiql/graphiql.js"></script>
<script src="${path}/graphiql/page.js"></script>
</body>
</html>
`

const start = `const url = new URL(document.currentScript.src).pathname.replace('/graphiql/page.js', '')
const [, given] = /^#token=(.+)$/.exec(location.hash) ?? []
// Out of the address and its history.
if (given) history.replaceState(null, '', location.pathname + location.search)
const token = given ? decodeURIComponent(given) : sessionStorage.getItem('svc-token')
const headers = token ? { Authorization: 'Bearer ' + token } : {}
const fetcher = GraphiQL.createFetcher({ url, headers })
const defaultQuery = \`# \${
  token ? 'The token of /docs is sent with each request; headers below replace it' : 'Who you are goes into the headers below'
}: { "Authorization": "Bearer <token>" }

{ __typename }
\`
const graphiql = React.createElement(GraphiQL, { fetcher, defaultQuery, shouldPersistHeaders: true })
ReactDOM.createRoot(document.getElementById('graphiql')).render(graphiql)
`

/** The two files of the page that are no package's. */
const ours: Readonly<Record<string, { readonly text: string; readonly type: string }>> = {
  'page.js': { text: start, type: 'text/javascript' },
  'page.css': { text: 'body { margin: 0 }\n#graphiql { height: 100vh }\n', type: 'text/css' },
}
