import { serveBlog } from '../shared/serve.js'

const url = process.env.DATABASE_URL
const { openStore } = await import(url.startsWith('file:') ? './sqlite.js' : './postgres.js')
serveBlog(openStore(url))
