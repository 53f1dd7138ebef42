import type { Feature } from '../../write/feature.js'
import { onByDefault } from '../a-switch.js'
import { decisionImports, decisionLines } from './decisions.js'
import { matrixView } from './view.js'

const test = 'tests/authorization.test.ts'

export const authorizationTests: Feature = {
  name: 'authorizationTests',
  check: onByDefault('authorizationTests'),
  isOffInExisting: true,
  outputs: [
    { of: 'project', path: test, owner: 'svc', view: matrixView },
    { of: 'project', path: 'tests/roles.ts', owner: 'you', view: matrixView },
  ],
  policyTest: { path: test, asked: 'take authorizationTests: false out of manifest/index.ts' },
  slots: (project) => ({
    imports: { 'tests/repositories.ts': decisionImports },
    tested_last: decisionLines(project),
  }),
  texts: () => ({
    changes: [
      {
        what: 'the users who try every route in the tests, and their rows',
        where: '`tests/roles.ts`',
        then: '`npm test`',
        isOfPolicies: true,
      },
    ],
    ownFiles: [
      {
        files: '`tests/roles.ts`, `tests/authorization.md`',
        so: 'the users who try every route in the tests, and what they may do: read the diff like code before you accept it',
      },
    ],
    review: [
      '`npm test` writes `tests/authorization.md`: which role may do what, route by route. Commit it. A changed policy then fails that test until you',
      `accept it with \`npx vitest run ${test} -u\`, and a reviewer reads the table's diff.`,
      '',
    ],
  }),
}
