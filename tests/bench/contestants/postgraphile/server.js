import './with-resolvers.js'
import { createServer } from 'node:http'
import pg from 'pg'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { isValid, readToken } from '../shared/token.js'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

const serv = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ pool, schemas: ['public'] })],
  grafast: {
    context: ({ node }) => ({
      pgSettings: { role: 'bench_api', 'app.user_id': String(node.req.user) },
    }),
  },
  grafserv: { graphiql: false, watch: false },
}).createServ(grafserv)

const token = {
  name: 'token',
  text: `select t.token, t.expires_at, u.id as user_id
    from personal_access_tokens t join users u on u.id = t.user_id where t.id = $1`,
}

const server = createServer()
await serv.addTo(server)
const [answer] = server.listeners('request')
server.removeAllListeners('request')

server.on('request', async (request, response) => {
  const { id, secret } = readToken(request.headers.authorization)
  const { rows } = await pool.query({ ...token, values: [id] })
  if (!isValid(secret, rows[0])) return response.writeHead(401).end()
  request.user = rows[0].user_id
  answer(request, response)
})

server.listen(Number(process.env.PORT), '127.0.0.1')
