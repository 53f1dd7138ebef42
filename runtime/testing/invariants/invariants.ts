import { describe } from 'vitest'
import type { Client } from '../client.js'
import type { Row, Tested } from '../tested.js'
import { testDoors } from './doors.js'
import { testRecords } from './records.js'

interface Facts<User> extends Client<User> {
  readonly repositories: readonly Tested<User>[]
}

/** Tests what holds in every project, whatever its policies are. */
export function testInvariants<User extends Row>({ repositories, ...client }: Facts<User>): void {
  describe.each(repositories)('$key', (repository) => {
    testDoors(repository, client)
    testRecords(repository, client)
  })
}
