/** A project with routes of its owner's that describe themselves. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { svc } from '../../core/cli/project.js'
import { linkModules, type DatabaseName } from '../../support/project.js'

/** Of a project, what `svc generate` makes of its routes. */
export const documentPath = 'app/OpenApi/openapi.json'
export const described = 'app/OpenApi/described.json'

/** After the lines that svc writes; a schema of another file, a router of its own, names that mean harm. */
export const imports = `import { z } from 'zod'
import { middleware } from '#app/Http/middleware.js'
import { describeRoute } from '#runtime/features/described-routes/describe-route.js'
import { Trees } from '#app/Http/Trees.js'
`
export const routes = `
if (process.env['NODE_ENV'] === 'development') console.log('{ "paths": {} }')
const address = z.object({ street: z.string().min(1), floor: z.number().int().optional() })
api.use('/guests/*', ...middleware(['auth:token']))
api.post(
  '/guests/:id',
  describeRoute({
    summary: 'Invite somebody',
    operationId: 'invite',
    token: 'required',
    params: z.object({ id: z.coerce.number().int().positive().max(2147483647) }),
    query: z.object({ tags: z.array(z.string().max(5)).optional(), page: z.coerce.number().int().min(1).default(1) }),
    body: z.strictObject({
      email: z.email(),
      role: z.enum(['reader', 'writer']).default('reader'),
      lines: z.array(address).max(3).optional(),
    }),
    answers: {
      201: z.object({ id: z.number(), email: z.string(), role: z.enum(['reader', 'writer']), tags: z.array(z.string()), page: z.number(), by: z.number() }),
      409: null,
    },
  }),
  (c) => {
    const { email, role } = c.req.valid('json')
    const { tags = [], page } = c.req.valid('query')
    const { id } = c.req.valid('param')
    return c.json({ id, email, role, tags, page, by: Number(c.get('user')?.id) }, 201)
  },
)
api.route('/trees', Trees)
api.get(
  '/codes/:code{[0-9]{3}}/parts/:part-id{(?:a|b){1,2}}',
  describeRoute({ summary: 'Show a part', answers: { 200: z.object({ code: z.string(), part: z.string() }) } }),
  (c) => c.json({ code: c.req.param('code'), part: c.req.param('part-id') }),
)
`
const trees = `import { Hono } from 'hono'
import { z } from 'zod'
import type { AppEnv } from '#app/Models.js'
import { describeRoute } from '#runtime/features/described-routes/describe-route.js'

const Tree = z.object({ name: z.string(), get children() { return z.array(Tree) } })

export const Trees = new Hono<AppEnv>()
  .put('/', describeRoute({ summary: 'Plant', operationId: 'delete', body: Tree, answers: { 200: Tree } }), (c) =>
    c.json(c.req.valid('json')),
  )
  .get(
    '/:delete{[a-z]+}',
    describeRoute({
      summary: 'Ends */ the remark \`\${0}\` "',
      query: z.object({ match: z.string().optional(), "it's": z.string().optional() }),
      answers: { 200: z.object({ 'a\\'b': z.literal("it's \`\${1}\`"), match: z.string(), oneOf: z.null(), $ref: z.string() }) },
    }),
    (c) => {
      const { match = c.req.param('delete') } = c.req.valid('query')
      return c.json({ 'a\\'b': "it's \`\${1}\`" as const, match, oneOf: null, $ref: '#/x' })
    },
  )
`

/** In an empty folder, a new project with those routes. */
export async function makeProject(root: string, database: DatabaseName): Promise<void> {
  const { code, errors } = await svc(root, 'new', '.', '--database', database)
  if (code !== 0) throw new Error(errors)
  await linkModules(root)
  const file = join(root, 'routes/api.ts')
  const [head = '', ...rest] = readFileSync(file, 'utf8').split('import { svcAuth }')
  writeFileSync(
    file,
    `${head}${imports}import { svcAuth }${rest.join('import { svcAuth }')}${routes}`,
  )
  writeFileSync(join(root, 'app/Http/Trees.ts'), trees)
}

export const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8')
export const documentOf = (root: string) => JSON.parse(read(root, documentPath))
