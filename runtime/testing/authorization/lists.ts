import type { Row } from '../tested.js'
import { allowed, hidden, outcome, type Outcome } from './outcome.js'
import type { Scene } from './scene.js'

interface Listing {
  readonly data: readonly { readonly id: string }[]
  readonly links: { readonly next: string | null }
}

interface Found extends Pick<Listing, 'data'> {
  readonly meta: { readonly last_page: number }
}

/** Says of a row whether a collection has it. */
export async function listedIn(scene: Scene, path: string): Promise<(row: Row) => Outcome> {
  return isAmong(await idsOn(scene, path))
}

/** Returns the outcome for each row of a collection that is asked with a body. */
export async function foundIn(scene: Scene, path: string): Promise<(row: Row) => Outcome> {
  const ids = new Set<string>()
  for (let page = 1; ; page += 1) {
    const response: Response = await scene.send('POST', path, { page, perPage: 100 })
    if (!response.ok) return isAmong(await outcome(response))
    const { data, meta } = (await response.json()) as Found // as every search answers
    for (const { id } of data) ids.add(id)
    if (page >= meta.last_page) return isAmong(ids)
  }
}

function isAmong(ids: Set<string> | Outcome): (row: Row) => Outcome {
  if (!(ids instanceof Set)) return () => ids
  return ({ id }) => (ids.has(String(id)) ? allowed : hidden)
}

interface Counted {
  readonly data: readonly { readonly count: number }[]
}

/** Returns the outcome for each row of `/posts/aggregate`, which counts the rows of the list. */
export async function countedIn(scene: Scene, path: string): Promise<(row: Row) => Outcome> {
  const response: Response = await scene.send('GET', path)
  if (!response.ok) return isAmong(await outcome(response))
  const { data } = (await response.json()) as Counted // without groups, there is one answer
  const ids = await idsOn(scene, path.replace(/\/[^/]*$/, ''))
  if (!(ids instanceof Set)) return () => ids
  const count = data[0]?.count ?? 0
  const why = `it counts ${count}, and the list has ${ids.size}`
  if (count !== ids.size) return () => ({ is: 'undecided', why })
  return ({ id }) => (ids.has(String(id)) ? allowed : hidden)
}

/** Returns the ids on all pages of a collection, or how it was denied. */
export async function idsOn(scene: Scene, path: string): Promise<Set<string> | Outcome> {
  const ids = new Set<string>()
  let next: string | null = `${path}?perPage=100`
  while (next !== null) {
    const response: Response = await scene.send('GET', next)
    if (!response.ok) return outcome(response)
    const { data, links } = (await response.json()) as Listing // as every index answers
    for (const { id } of data) ids.add(id)
    next = links.next
  }
  return ids
}
