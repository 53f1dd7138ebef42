import type { Features } from '../../context.js'

/** The first page that a server has for people, where its manifest asks for one: `/docs`. */
export const firstPage = (features: Features): string =>
  features.find(({ page }) => page !== undefined)?.page ?? '/'

/** The pages that the server there has for people: its config may switch them off, and its developer may have changed the routes. */
export async function pagesAt(origin: string, features: Features): Promise<readonly string[]> {
  const asked = features.map(async ({ page }) => {
    if (page === undefined) return []
    const answer = await fetch(`${origin}${page}`, { method: 'HEAD' }).catch(() => null)
    return answer?.ok === true ? [`${origin}${page}`] : []
  })
  return (await Promise.all(asked)).flat()
}
