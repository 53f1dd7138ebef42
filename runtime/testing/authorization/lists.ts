import type { Row } from '../tested.js'
import { allowed, hidden, outcome, type Outcome } from './outcome.js'
import type { Scene } from './scene.js'

interface Listing {
  readonly data: readonly { readonly id: string }[]
  readonly links: { readonly next: string | null }
}

/** Says of a row whether a collection has it. */
export async function listedIn(scene: Scene, path: string): Promise<(row: Row) => Outcome> {
  const ids = await idsOn(scene, path)
  if (!(ids instanceof Set)) return () => ids
  return ({ id }) => (ids.has(String(id)) ? allowed : hidden)
}

/** What is on all pages of a collection, or how it was denied. */
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
