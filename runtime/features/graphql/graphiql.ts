import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Env, Hono } from 'hono'
import { notFound } from '../../errors.js'
import { wantsPage } from './negotiate.js'

/** They come with svckit, or from these packages without it: nothing is fetched from elsewhere. */
const files: Readonly<Record<string, readonly [name: string, path: string, type: string]>> = {
  'react.js': ['react', 'umd/react.production.min.js', 'text/javascript'],
  'react-dom.js': ['react-dom', 'umd/react-dom.production.min.js', 'text/javascript'],
  'graphiql.js': ['graphiql', 'graphiql.min.js', 'text/javascript'],
  'graphiql.css': ['graphiql', 'graphiql.min.css', 'text/css'],
}

/** The page for browsers, and its files below `/graphiql/`. */
export function graphiql<E extends Env>(app: Hono<E>): void {
  app.get('/graphiql/:file', async (c) => {
    const name = c.req.param('file')
    const found = Object.hasOwn(files, name) ? files[name] : undefined
    if (found === undefined) throw notFound()
    const [dependency, path, type] = found
    const ours = await readInstalled('svckit', `dist/graphiql/${name}`)
    const text = ours ?? (await readInstalled(dependency, path))
    if (text === null) return c.text('npm install --save-dev graphiql@3 react@18 react-dom@18', 404)
    return c.body(text, 200, { 'Content-Type': `${type}; charset=utf-8` })
  })
  app.get('/', async (c, next) => {
    if (!wantsPage(c.req.header('accept')) || c.req.query('query') !== undefined) return next()
    return c.html(page(c.req.path.replace(/\/$/, '')))
  })
}

/** A file of a dependency, by its folder: `exports` does not name them all. */
async function readInstalled(dependency: string, path: string): Promise<string | null> {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${dependency}/package.json`))
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
<style>body { margin: 0 } #graphiql { height: 100vh }</style>
</head>
<body>
<div id="graphiql">Loading…</div>
<script src="${path}/graphiql/react.js"></script>
<script src="${path}/graphiql/react-dom.js"></script>
<script src="${path}/graphiql/graphiql.js"></script>
<script>
const fetcher = GraphiQL.createFetcher({ url: '${path}' })
const defaultQuery = \`# Who you are goes into the headers below: { "Authorization": "Bearer <token>" }

{ __typename }
\`
const graphiql = React.createElement(GraphiQL, { fetcher, defaultQuery, shouldPersistHeaders: true })
ReactDOM.createRoot(document.getElementById('graphiql')).render(graphiql)
</script>
</body>
</html>
`
