import { expect, test } from 'vitest'
import type { FieldErrors } from '../../errors.js'
import type { Resource } from '../../model/resource.js'
import { read, somebody, type Client, type Send } from '../client.js'
import type { Row, Tested } from '../tested.js'

/** Tests that a record shows what was stored. */
export function testRecords<User extends Row>(
  repository: Tested<User>,
  client: Client<User>,
): void {
  const path = `/api/svc/${repository.key}`

  test('does what its flags announce', async () => {
    for await (const { record, send } of visible(repository, client)) {
      const at = `${path}/${record.id}`
      expect(record.meta?.authorizedToShow).toBe(true)
      const isStored = !isDenied(await send('POST', path, {}))
      // An empty record may be one that the condition of `store` does not admit.
      if (isStored || repository.required.length > 0) {
        expect(isStored).toBe(record.meta?.authorizedToStore)
      }
      expect(isDenied(await send('PATCH', at, {}))).toBe(!record.meta?.authorizedToUpdate)
      expect(isDenied(await send('DELETE', at))).toBe(!record.meta?.authorizedToDelete)
    }
  })

  test('shows its attributes only, and related records only when asked', async () => {
    for await (const { record, send } of visible(repository, client)) {
      expect(repository.attributes).toEqual(expect.arrayContaining(Object.keys(record.attributes)))
      expect(record).not.toHaveProperty('relationships')
      for (const entry of repository.related) {
        const response = await send('GET', `${path}/${record.id}?include=${entry}`)
        if (await isDeniedInclude(response)) continue
        const { relationships = {} } = await recordOf(response)
        expect([entry]).toEqual(expect.arrayContaining(Object.keys(relationships)))
      }
    }
  })

  test('names the fields that a new record lacks', async () => {
    const { send } = await somebody(client)
    const response = await send('POST', path, {})
    // Fields that hooks fill are not required.
    if (isDenied(response) || response.ok || repository.required.length === 0) return
    const { errors } = await read<{ errors: FieldErrors }>(response)
    expect(response.status).toBe(422)
    expect(repository.required).toEqual(expect.arrayContaining(Object.keys(errors)))
  })
}

const isDenied = ({ status }: Response) => status === 401 || status === 403

/** Records that the policy lets a new user see, if any. */
async function* visible<User extends Row>(
  repository: Tested<User>,
  client: Client<User>,
): AsyncGenerator<{ readonly record: Resource; readonly send: Send }> {
  const { user, send } = await somebody(client)
  const rows = await repository.rows(user)
  for (const { id } of rows) {
    const response = await send('GET', `/api/svc/${repository.key}/${id}`)
    if (response.ok) yield { record: await recordOf(response), send }
  }
}

/** Strict queries deny what `canSee` hides, `limits.related_records` what holds too much. */
async function isDeniedInclude(response: Response): Promise<boolean> {
  if (response.status !== 400) return false
  const { errors } = await read<{ errors: FieldErrors }>(response)
  expect(Object.keys(errors)).toEqual(['include'])
  return true
}

async function recordOf(response: Response): Promise<Resource> {
  const { data } = await read<{ data: Resource }>(response)
  return data
}
