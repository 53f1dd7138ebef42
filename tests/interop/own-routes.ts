/** Routes of a project's own that say what they take and answer. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const imports = `import { z } from 'zod'
import { middleware } from '#app/Http/middleware.js'
import { describeRoute } from '#runtime/features/described-routes/describe-route.js'
`
/** A path, a query with a list, a body, several answers; a schema that contains itself; no body at all. */
const routes = `
const Tree = z.object({ name: z.string(), get children() { return z.array(Tree) } })
api.use('/guests/*', ...middleware(['auth:token']))
api.post(
  '/guests/:id',
  describeRoute({
    summary: 'Invite somebody',
    operationId: 'invite',
    token: 'required',
    params: z.object({ id: z.coerce.number().int().positive() }),
    query: z.object({
      tags: z.array(z.string().max(5)).optional(),
      days: z.coerce.number().int().min(1).max(30).default(7),
    }),
    body: z.object({ email: z.email(), role: z.enum(['reader', 'writer']).default('reader') }),
    answers: {
      201: z.object({
        ...{ id: z.number(), email: z.string(), role: z.enum(['reader', 'writer']) },
        ...{ tags: z.array(z.string()), days: z.number() },
      }),
      409: null,
    },
  }),
  (c) => {
    const { email, role } = c.req.valid('json')
    const { tags = [], days } = c.req.valid('query')
    return c.json({ id: c.req.valid('param').id, email, role, tags, days }, 201)
  },
)
api.put(
  '/trees',
  describeRoute({ summary: 'Plant', body: Tree, answers: { 200: Tree } }),
  (c) => c.json(c.req.valid('json')),
)
api.delete('/trees', describeRoute({ summary: 'Fell', answers: { 204: null } }), (c) => c.body(null, 204))
`

export function describeRoutes(project: string): void {
  const file = join(project, 'routes/api.ts')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('import { svcAuth }', `${imports}import { svcAuth }`) + routes)
}
