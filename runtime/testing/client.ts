import type { Resource } from '../model/resource.js'
import type { Row } from './tested.js'

/** The server of a project, asked without a port. */
export interface App {
  readonly request: (path: string, init: RequestInit) => Response | Promise<Response>
}

type Headers = Readonly<Record<string, string>>

/** Sends one request. */
export type Send = (method: string, path: string, body?: object) => Promise<Response>

/** A user, and requests with a token of theirs. */
export interface SignedIn<User> {
  readonly user: User
  readonly headers: Headers
  readonly send: Send
}

/** Sends the requests of tests to the server of a project. */
export interface Client<User> {
  readonly sendAsNobody: Send
  /** A user, a new one unless one is given. Absent: nobody signs in. */
  readonly signIn?: (user?: User) => Promise<SignedIn<User>>
}

/** A failure of the server answers no question: it fails the test that asked. */
export function sendTo(app: App, headers: Headers = {}): Send {
  return async (method, path, body) => {
    const typed = { ...headers, 'Content-Type': 'application/json' }
    const content =
      body === undefined ? { headers } : { headers: typed, body: JSON.stringify(body) }
    const response = await answerTo(app, path, { method, ...content })
    // 501: nobody has written what it does.
    if (response.status < 500 || response.status === 501) return response
    throw new Error(`${method} ${path} answered ${response.status}, and the log says why`)
  }
}

/** A change that must say of which version it is, is one of any. */
async function answerTo(app: App, path: string, init: RequestInit): Promise<Response> {
  const response = await app.request(path, init)
  if (response.status !== 428) return response
  const headers = { ...(init.headers as Headers), 'If-Match': '*' } // as `sendTo` has them
  return app.request(path, { ...init, headers })
}

/** A new user and their requests; where nobody signs in, those of nobody. */
export async function somebody<User extends Row>({
  sendAsNobody,
  signIn,
}: Client<User>): Promise<SignedIn<User>> {
  if (signIn !== undefined) return signIn()
  // Then no row of the project belongs to a user.
  return { user: null as never, headers: {}, send: sendAsNobody }
}

/** The body of an answer; the caller knows its shape. */
export async function read<Body>(response: Response): Promise<Body> {
  return (await response.json()) as Body
}

interface Page {
  readonly data: readonly Resource[]
  readonly links: { readonly next: string | null }
}

/** Ids on all pages of a collection; none when it is denied. */
export async function listIds(send: Send, path: string): Promise<readonly string[]> {
  const response = await send('GET', path)
  if (!response.ok) return []
  const { data, links } = await read<Page>(response)
  const ids = data.map(({ id }) => id)
  return links.next === null ? ids : [...ids, ...(await listIds(send, links.next))]
}
