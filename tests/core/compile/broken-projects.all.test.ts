import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateInto } from '../../support/generate.js'
import { change, emit } from './emit.js'
import { run } from './run.js'

interface Broken {
  readonly what: string
  readonly file: string
  readonly from: RegExp
  readonly to: string
  /** The test of the project that fails of it. */
  readonly noticed: string
}

/**
 * Mistakes that somebody may make in a project, each in another place, and the tests that notice.
 */
const all: readonly Broken[] = [
  {
    what: 'a request may write a column that is nobody’s to write',
    file: 'app/Repositories/UserRepository.ts',
    from: /password: password\(\),/,
    to: 'password: password(), is_admin: text().optional(),',
    noticed: 'users takes what it should from a request, and nothing else',
  },
  {
    what: 'a text may be longer than its field',
    file: 'app/Repositories/PostRepository.ts',
    from: /text\(\)\.check\(notBlank\)\.max\(160\)/,
    to: 'text().check(notBlank)',
    noticed: 'posts refuses what is no value of a field',
  },
  {
    what: 'a hidden column is a member of its type in GraphQL',
    file: 'app/GraphQL/schema.graphql',
    from: /type User \{/,
    to: 'type User {\n  password: String',
    noticed: 'users shows its attributes, and no other column',
  },
  {
    what: 'a column is not shown any more',
    file: 'app/Repositories/RoleRepository.ts',
    from: /attributes: \['name', /,
    to: 'attributes: [',
    noticed: 'roles shows its attributes, and no other column',
  },
  {
    what: 'a repository is readable without a token',
    file: 'app/Http/resources.ts',
    from: /resources\.route\('\/tags'/,
    to: "api.route('/svc/tags'",
    noticed: 'tags needs a token',
  },
  {
    what: 'a public repository is not readable without a token any more',
    file: 'app/Http/middleware.ts',
    from: /publicReads: \['roles'\]/,
    to: 'publicReads: []',
    noticed: 'roles is readable without a token',
  },
  {
    what: 'an optional field is required',
    file: 'app/Repositories/PostRepository.ts',
    from: /dateTime\(\)\.nullish\(\)/,
    to: 'dateTime().nullable()',
    noticed: 'posts asks for its required fields, and for no other',
  },
  {
    what: 'a required field is optional',
    file: 'app/Repositories/CommentRepository.ts',
    from: /body: textarea\(5000\)/,
    to: 'body: textarea(5000).nullish()',
    noticed: 'comments asks for its required fields, and for no other',
  },
  {
    what: 'a route is gone',
    file: 'app/Http/Controllers/CompanyController.ts',
    from: /\.delete\('\/:id'/,
    to: ".delete('/gone/:id'",
    noticed: 'every route has a decision',
  },
  {
    what: 'a policy is opened',
    file: 'app/Policies/CommentPolicy.ts',
    from: /delete: .*/,
    to: 'delete: () => true,',
    noticed: 'who may do what is as tests/authorization.md says',
  },
  {
    what: 'a new record is answered with 200',
    file: 'app/Http/Controllers/PhoneController.ts',
    from: /storeRoute\(PhoneRepository\)/,
    to: "async (c) => respond(c, await PhoneRepository.store(c.get('user'), await readBody(c)))",
    noticed: 'phones keeps, sorts and finds what came through server',
  },
  {
    what: 'times are sorted and compared as texts',
    file: 'app/Repositories/PostRepository.ts',
    from: /published_at: 'dateTime\?'/,
    to: "published_at: 'text?'",
    noticed: 'posts keeps, sorts and finds what came through db',
  },
  {
    what: 'a list is not sorted by a column any more',
    file: 'app/Repositories/CommentRepository.ts',
    from: /sort: \['id', /,
    to: 'sort: [',
    noticed: 'comments sorts and filters its list by what it should, and by nothing else',
  },
  {
    what: 'a list is not filtered by a column any more',
    file: 'app/Repositories/CompanyRepository.ts',
    from: /  match: .*\n/,
    to: '',
    noticed: 'companies sorts and filters its list by what it should, and by nothing else',
  },
  {
    what: 'a mutation answers, and does nothing',
    file: 'app/GraphQL/endpoint.ts',
    from: /\.\.\.pageResolver\(RoleRepository\), \/\/ page/,
    to: '...pageResolver(RoleRepository), delete: async () => true,',
    noticed: 'who may do what is as tests/authorization.md says',
  },
]

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** Names of the tests of a project that fail; those made of a table quote what is in it. */
async function failing(folder: string): Promise<readonly string[]> {
  const options = ['--reporter=json', '--outputFile=report.json']
  await run('vitest', ['run', ...options], folder, { CI: 'true' })
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  return report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName.replaceAll("'", ''))
}

test('the tests of a project notice fifteen mistakes that somebody makes in it', async () => {
  const folder = await emit('blog', 'sqlite')
  change(join(folder, 'manifest/roles.ts'), /title: /, 'public: true,\n  title: ')
  await generateInto(folder)
  for (const { what, file, from, to } of all) {
    const path = join(folder, file)
    const before = readFileSync(path, 'utf8')
    change(path, from, to)
    expect(readFileSync(path, 'utf8'), what).not.toBe(before)
  }
  const noticed = await failing(folder)
  const unnoticed = all.filter((each) => !noticed.includes(each.noticed))
  expect(
    unnoticed.map(({ what }) => what),
    noticed.join('\n'),
  ).toEqual([])
  rmSync(folder, { recursive: true })
})
