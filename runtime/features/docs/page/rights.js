import { send } from './http.js'

const none = { store: false, closed: { see: [], store: [], update: [] } }

/** Asks the server for the user's rights in a repository; nothing where it does not say. */
export async function rightsIn(key) {
  const answer = await send('GET', `/docs/rights/${key}`)
  return answer.ok ? answer.json : none
}

/**
 * Asks the server for the possible filters and sorts, by the key that is sent; null where it does
 * not say.
 */
export async function asksIn(resource) {
  const { asks } = resource.actions
  const answer = asks && (await send('GET', `${asks.path}?only=matches,filters`))
  if (!answer?.ok) return null
  const { matches, filters } = answer.json.data
  return { match: byKey(matches), filter: byKey(filters) }
}

const byKey = (rows) => new Map(rows.map((row) => [row.key, row]))
