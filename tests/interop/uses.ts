/**
 * What somebody does with what a generator made of the blog; each answers the same. Where a column's filter may be a list or
 * `null`, hey-api does not see the `explode: false` beside it, and repeats the parameter, which the server takes; so does openapi-fetch.
 * kubb's own client says no type of a body.
 */
export const uses: Readonly<Record<string, string>> = {
  'openapi-typescript': `
import createClient from 'openapi-fetch'
import type { paths } from './schema'
export async function use(baseUrl: string, email: string, password: string) {
  const open = createClient<paths>({ baseUrl })
  const signedIn = await open.POST('/api/login', { body: { email, password } })
  const token: string = signedIn.data?.meta.token ?? ''
  const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } })
  const stored = await client.POST('/api/svc/posts', { body: { title: 'Typed' } })
  const id = stored.data?.data.id ?? ''
  const shown = await client.GET('/api/svc/posts/{id}', { params: { path: { id }, query: { include: ['owner'] } } })
  const listed = await client.GET('/api/svc/posts', { params: { query: { title: ['Typed', 'Other'], sort: ['-title', 'id'] } } })
  const refused = await client.POST('/api/svc/posts', { body: { title: 'x'.repeat(200) } })
  const errors = refused.error !== undefined && 'errors' in refused.error ? Object.keys(refused.error.errors ?? {}) : []
  const guest = { path: { id: 7 }, query: { tags: ['a', 'b'], days: 3 } }
  const invitation = await client.POST('/api/guests/{id}', { params: guest, body: { email: 'eve@example.com' } })
  const invited = invitation.data
  const uninvited = (await client.POST('/api/guests/{id}', { params: guest, body: { email: 'eve' } })).response.status
  return { title: shown.data?.data.attributes.title, owner: shown.data?.data.relationships?.owner?.attributes.email, titles: listed.data?.data.map((post) => post.attributes.title), stored: stored.response.status, status: refused.response.status, errors, invited, uninvited }
}
`,
  orval: `
import { indexPosts, invite, login, showPost, storePost } from './api'
export async function use(_: string, email: string, password: string) {
  const signedIn = await login({ email, password })
  const token = signedIn.status === 200 ? signedIn.data.meta.token : ''
  const options = { headers: { authorization: 'Bearer ' + token } }
  const stored = await storePost({ title: 'Typed' }, options)
  const id = stored.status === 201 ? stored.data.data.id : ''
  const shown = await showPost(id, { include: ['owner'] }, options)
  const record = shown.status === 200 ? shown.data.data : undefined
  const listed = await indexPosts({ title: ['Typed', 'Other'], sort: ['-title', 'id'] }, options)
  const refused = await storePost({ title: 'x'.repeat(200) }, options)
  const errors = refused.status === 422 ? Object.keys(refused.data.errors ?? {}) : []
  const guest = { tags: ['a', 'b'], days: 3 }
  const invitation = await invite(7, { email: 'eve@example.com' }, guest, options)
  const invited = invitation.status === 201 ? invitation.data : undefined
  const uninvited = (await invite(7, { email: 'eve' }, guest, options)).status
  return { title: record?.attributes.title, owner: record?.relationships?.owner?.attributes.email, titles: listed.status === 200 ? listed.data.data.map((post) => post.attributes.title) : [], stored: stored.status, status: refused.status, errors, invited, uninvited }
}
`,
  'hey-api': `
import { client } from './client.gen'
import { indexPosts, invite, login, showPost, storePost } from './sdk.gen'
export async function use(baseUrl: string, email: string, password: string) {
  client.setConfig({ baseUrl })
  const signedIn = await login({ body: { email, password } })
  const token: string = signedIn.data?.meta.token ?? ''
  client.setConfig({ baseUrl, auth: () => token })
  const stored = await storePost({ body: { title: 'Typed' } })
  const id: string = stored.data?.data.id ?? ''
  const shown = await showPost({ path: { id }, query: { include: ['owner'] } })
  const listed = await indexPosts({ query: { title: ['Typed', 'Other'], sort: ['-title', 'id'] } })
  const refused = await storePost({ body: { title: 'x'.repeat(200) } })
  const errors = refused.error !== undefined && 'errors' in refused.error ? Object.keys(refused.error.errors ?? {}) : []
  const guest = { path: { id: 7 }, query: { tags: ['a', 'b'], days: 3 } }
  const invitation = await invite({ ...guest, body: { email: 'eve@example.com' } })
  const invited = invitation.data
  const uninvited = (await invite({ ...guest, body: { email: 'eve' } })).response?.status
  return { title: shown.data?.data.attributes.title, owner: shown.data?.data.relationships?.owner?.attributes.email, titles: listed.data?.data.map((post) => post.attributes.title), stored: stored.response?.status, status: refused.response?.status, errors, invited, uninvited }
}
`,
  kubb: `
import { setConfig } from '@kubb/plugin-client/clients/fetch'
import { indexPosts, invite, login, showPost, storePost } from './index'
export async function use(_: string, email: string, password: string) {
  setConfig({ headers: { 'content-type': 'application/json' } })
  const signedIn = await login({ email, password })
  const config = { headers: { authorization: 'Bearer ' + signedIn.data.meta.token } }
  const stored = await storePost({ title: 'Typed' }, config)
  const shown = await showPost(stored.data.data.id, { include: ['owner'] }, config)
  const listed = await indexPosts({ title: ['Typed', 'Other'], sort: ['-title', 'id'] }, config)
  const refused = await storePost({ title: 'x'.repeat(200) }, config)
  const errors = Object.keys((refused.data as { errors?: object }).errors ?? {})
  const guest = { tags: ['a', 'b'], days: 3 }
  const invited = (await invite(7, { email: 'eve@example.com' }, guest, config)).data
  const uninvited = (await invite(7, { email: 'eve' }, guest, config)).status
  return { title: shown.data.data.attributes.title, owner: shown.data.data.relationships?.owner?.attributes.email, titles: listed.data.data.map((post) => post.attributes.title), stored: stored.status, status: refused.status, errors, invited, uninvited }
}
`,
}
