import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { somebody, type App, type Client } from '../client.js'
import type { Row, Tested } from '../tested.js'
import type { Operation } from './operations.js'
import { readContract } from './read-contract.js'
import { addressOf, rightRequests, type Sent } from './requests.js'
import { spoiledRequests } from './spoiled-requests.js'

interface Facts<User> extends Client<User> {
  readonly app: App
  /** The document of the API: where it is. */
  readonly document: string
  readonly repositories: readonly Tested<User>[]
  /** Resolves when what goes on after an answer is done, as a mail. */
  readonly settled?: () => Promise<unknown>
}

/** Requests of each kind to each operation. */
const numRuns = Number(process.env['CONTRACT_RUNS'] ?? 3)

/** The server answers as its document says, whatever it is sent. */
export function testContract<User extends Row>({ settled, ...facts }: Facts<User>): void {
  const ids: string[] = []
  const contract = readContract(facts.document, () => ids)
  if (settled !== undefined) afterAll(settled)

  describe.each(contract.operations)('$method $path', (operation) => {
    test('answers as the document says', { timeout: 120_000 }, async () => {
      const known = await recordsFor(operation, facts)
      ids.push(...known)
      // A request may end its token: what comes after it is then 401, as documented.
      const { headers } = await somebody(facts)
      const pick = (name: string, at: number) => (name === 'id' ? known : ids).at(at % 5) ?? '1'
      const answers = async (sent: Sent) => {
        const response = await facts.app.request(addressOf(operation, sent, pick), {
          method: operation.method,
          headers: { ...sent.headers, ...headers },
          ...(sent.body === null ? {} : { body: sent.body }),
        })
        expect(await contract.problemOf(operation, response)).toBeNull()
      }
      await fc.assert(fc.asyncProperty(rightRequests(contract, operation), answers), { numRuns })
      await fc.assert(fc.asyncProperty(spoiledRequests(contract, operation), answers), { numRuns })
    })
  })
}

/** Ids of records of the repository that an operation is about. */
async function recordsFor<User extends Row>(
  { path }: Operation,
  { repositories, ...client }: Facts<User>,
): Promise<readonly string[]> {
  const repository = repositories.find(({ key }) => path.startsWith(`/api/svc/${key}/{id}`))
  const rows = (await repository?.rows((await somebody(client)).user)) ?? []
  return rows.map(({ id }) => String(id))
}
