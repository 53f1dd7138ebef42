import { expect, test } from 'vitest'
import { listIds, read, somebody, type Client } from '../client.js'
import type { Row, Tested } from '../tested.js'

/** Tests who gets in, and to what. */
export function testDoors<User extends Row>(repository: Tested<User>, client: Client<User>): void {
  const path = `/api/svc/${repository.key}`
  const isHidden = hiddenFrom(client)
  if (client.signIn !== undefined) testToken(repository, client)

  test('has nothing under an id that no record has', async () => {
    const { send } = await somebody(client)
    for (const id of ['2147483647', '00000000-0000-4000-8000-000000000000', 'nothing']) {
      expect(isHidden(await send('GET', `${path}/${id}`)), id).toBe(true)
      expect(isHidden(await send('PATCH', `${path}/${id}`, {})), id).toBe(true)
      expect(isHidden(await send('DELETE', `${path}/${id}`)), id).toBe(true)
    }
  })

  test('hides at every door what it does not list', async () => {
    const { user, send } = await somebody(client)
    const rows = await repository.rows(user)
    const listed = new Set(await listIds(send, path))
    for (const id of rows.map((row) => String(row.id))) {
      const isListed = listed.has(id)
      expect((await send('GET', `${path}/${id}`)).ok).toBe(isListed)
      if (isListed) continue
      expect(isHidden(await send('PATCH', `${path}/${id}`, {})), id).toBe(true)
      expect(isHidden(await send('DELETE', `${path}/${id}`)), id).toBe(true)
    }
  })

  test('counts what it lists', async () => {
    const { user, send } = await somebody(client)
    await repository.rows(user)
    const response = await send('GET', `${path}?perPage=1`)
    if (!response.ok) return
    const { meta } = await read<{ meta: { total: number } }>(response)
    expect(meta.total).toBe((await listIds(send, path)).length)
  })
}

function testToken<User>(
  { key, isPublic = false }: Tested<User>,
  { sendAsNobody }: Client<User>,
): void {
  const path = `/api/svc/${key}`

  test('needs a token', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      if (method === 'GET' && isPublic) continue
      expect((await sendAsNobody(method, `${path}/1`)).status, method).toBe(401)
    }
    expect((await sendAsNobody('POST', path, {})).status).toBe(401)
  })
}

/** A hidden record may also be a 401, where there is no auth repository. */
const hiddenFrom =
  ({ signIn }: { readonly signIn?: unknown }) =>
  ({ status }: Response) =>
    status === 404 || (status === 401 && signIn === undefined)
