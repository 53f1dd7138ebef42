import { send } from './http.js'

const none = { store: false, closed: { see: [], store: [], update: [] } }

/** What the server says that the user may do in a repository; nothing where it does not say. */
export async function rightsIn(key) {
  const answer = await send('GET', `/docs/rights/${key}`)
  return answer.ok ? answer.json : none
}
