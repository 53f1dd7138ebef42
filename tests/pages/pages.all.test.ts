/** Every block of every page is compiled, run or asked: what people copy works. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { checkout, emptyFolder, linkDependencies, newProject } from '../core/cli/project.js'
import { databases, toldOn } from '../support/databases.js'
import { blocks, type Block } from '../support/pages.js'
import { tryActions } from './actions.js'
import { tryAggregates } from './aggregates.js'
import { tryBlog } from './blog.js'
import { tryBulk } from './bulk.js'
import { tryClinic } from './clinic.js'
import { tryCursors } from './cursors.js'
import { tryDryRuns } from './dry-runs.js'
import { tryFilters } from './filters.js'
import { tryFullText } from './full-text.js'
import { tryIdempotency } from './idempotency.js'
import { tryLedger } from './ledger.js'
import { tryNestedCreate } from './nested-create.js'
import { tryQuestions } from './questions.js'
import { tryReadme } from './readme.js'
import { tryReads } from './reads.js'
import { tryRecipes } from './recipes.js'
import { trySearch } from './search.js'
import { runCommands } from './shell.js'
import { tryShop, trySmallShop } from './shop.js'
import { trySoftDeletes } from './soft-deletes.js'
import { tryTutorial } from './tutorial.js'
import { tryUpsert } from './upsert.js'
import { tryVersions } from './versions.js'

const withCommands = [
  'README.md',
  'docs/regenerating.md',
  'docs/migrations.md',
  'docs/deploying.md',
]

/** By page and language: the file of tests/ that tries such blocks, and names the page. */
const triedIn: Readonly<Record<string, string>> = {
  'README.md ts': 'pages/readme.ts',
  'README.md http': 'pages/readme.ts',
  'README.md diff': 'pages/readme.ts',
  'README.md console': 'pages/readme.ts',
  'README.md ': 'readme.test.ts',
  'docs/actions.md ts': 'pages/actions.ts',
  'docs/actions.md http': 'pages/actions.ts',
  'docs/aggregates.md ts': 'pages/aggregates.ts',
  'docs/aggregates.md http': 'pages/aggregates.ts',
  'docs/aggregates.md graphql': 'pages/aggregates.ts',
  'docs/api.md json': 'pages/shop.ts',
  'docs/api.md sh': 'pages/blog.ts',
  'docs/bulk.md ts': 'pages/bulk.ts',
  'docs/bulk.md http': 'pages/bulk.ts',
  'docs/client.md ts': 'features/client/compile.all.test.ts',
  'docs/cursors.md ts': 'pages/cursors.ts',
  'docs/cursors.md http': 'pages/cursors.ts',
  'docs/deploying.md ts': 'core/http/other-runtimes.all.test.ts',
  'docs/deploying.md nginx': 'core/http/prefix.test.ts',
  'docs/deploying.md caddy': 'core/http/prefix.test.ts',
  'docs/dry-runs.md ts': 'pages/dry-runs.ts',
  'docs/dry-runs.md http': 'pages/dry-runs.ts',
  'docs/existing.md sh': 'pages/pages.all.test.ts',
  'docs/graphql.md graphql': 'pages/blog.ts',
  'docs/hooks.md ts': 'pages/shop.ts',
  'docs/idempotency.md ts': 'pages/idempotency.ts',
  'docs/full-text.md ts': 'pages/full-text.ts',
  'docs/full-text.md http': 'pages/full-text.ts',
  'docs/idempotency.md http': 'pages/idempotency.ts',
  'docs/manifest.md ts': 'pages/clinic.ts',
  'docs/nested-create.md ts': 'pages/nested-create.ts',
  'docs/nested-create.md http': 'pages/nested-create.ts',
  'docs/own-code.md ts': 'pages/shop.ts',
  'docs/own-code.md prisma': 'pages/shop.ts',
  'docs/own-code.md http': 'pages/shop.ts',
  'docs/policies.md ts': 'pages/clinic.ts',
  'docs/policies.md http': 'pages/clinic.ts',
  'docs/project.md ': 'pages/pages.all.test.ts',
  'docs/explain.md console': 'pages/questions.ts',
  'docs/explain.md sh': 'pages/questions.ts',
  'docs/filters.md ts': 'pages/filters.ts',
  'docs/filters.md http': 'pages/filters.ts',
  'docs/reads.md ts': 'pages/reads.ts',
  'docs/reads.md http': 'pages/reads.ts',
  'docs/recipes.md ts': 'pages/recipes.ts',
  'docs/recipes.md http': 'pages/recipes.ts',
  'docs/shop.md ts': 'pages/shop.ts',
  'docs/search.md ts': 'pages/search.ts',
  'docs/search.md http': 'pages/search.ts',
  'docs/soft-deletes.md ts': 'pages/soft-deletes.ts',
  'docs/transactions.md ts': 'pages/ledger.ts',
  'docs/transactions.md http': 'pages/ledger.ts',
  'docs/tutorial.md ts': 'pages/tutorial.ts',
  'docs/tutorial.md sh': 'pages/tutorial.ts',
  'docs/tutorial.md http': 'pages/tutorial.ts',
  'docs/upsert.md ts': 'pages/upsert.ts',
  'docs/upsert.md http': 'pages/upsert.ts',
  'docs/versions.md ts': 'pages/versions.ts',
  'docs/versions.md http': 'pages/versions.ts',
  ...Object.fromEntries(withCommands.map((page) => [`${page} sh`, 'pages/pages.all.test.ts'])),
}

/** Only what names its file becomes one; the client's block is compiled whole. */
const isTried = ({ page, language, path }: Block) =>
  triedIn[`${page} ${language}`] !== undefined &&
  (path !== null || !['ts', 'prisma'].includes(language) || page === 'docs/client.md')

test('no block of a page is without a test', () => {
  expect(blocks().flatMap((block) => (isTried(block) ? [] : block.at))).toEqual([])
  for (const [block, file] of Object.entries(triedIn)) {
    const [page = ''] = block.split(' ')
    const text = readFileSync(join(checkout, 'tests', file), 'utf8')
    expect(
      [page, 'allPages'].some((each) => text.includes(each)),
      block,
    ).toBe(true)
    expect(
      blocks().some((each) => `${each.page} ${each.language}` === block),
      block,
    ).toBe(true)
  }
})

test.each(toldOn('sqlite'))('the recipes do what they say on %s', tryRecipes)

test(
  'the example shop has the files, the answer, the diff and the explanation of the README',
  tryReadme,
)

test('what docs/shop.md shows is enough for its first requests', trySmallShop)

test('the shop compiles, and answers what the pages say', tryShop)

test('the clinic compiles, and hides and denies what the pages say', tryClinic)

test.each(toldOn('sqlite'))('an account is the sum of its entries on %s', tryLedger)

test.each(toldOn('sqlite'))('a page changes in the version that was read on %s', tryVersions)

test.each(toldOn('sqlite'))(
  'an order is made once, however often it is sent, on %s',
  tryIdempotency,
)

test.each(toldOn('sqlite'))('actions are run and getters asked on %s', tryActions)
test.each(toldOn('sqlite'))('many steps are made, changed and deleted at once on %s', tryBulk)

test.each(toldOn('sqlite'))('a product is made, or changed by its key, on %s', tryUpsert)
test.each(toldOn('sqlite'))('orders are counted and added up on %s', tryAggregates)

test.each(toldOn('sqlite'))('an order is made with its lines on %s', tryNestedCreate)

test.each(toldOn('sqlite'))('what goes along with a project is said before, on %s', tryDryRuns)

test.each(toldOn('sqlite'))('lamps are compared as docs/reads.md compares them on %s', tryReads)

test.each(toldOn('sqlite'))('lamps are filtered as docs/filters.md answers on %s', tryFilters)

test.each(toldOn('sqlite'))(
  'what is found in several repositories is what the page says on %s',
  trySearch,
)

test.each(databases)('words are found as the page says on %s', tryFullText)

test.each(toldOn('sqlite'))('a list is walked from where a page ended on %s', tryCursors)

test('what the page of soft deletes deletes is in the trash', trySoftDeletes)

test('the tutorial works from its first command to its last', tryTutorial)

test('the shop is asked what docs/explain.md asks it, and answers the same', tryQuestions)

test('what the pages ask the blog, it answers', tryBlog)

test.each(withCommands)('the commands of %s run', async (page) => {
  const folder = page === 'README.md' ? emptyFolder() : await newProject()
  if (page !== 'README.md') linkDependencies(folder)
  for (const block of blocks()) {
    if (block.page === page && block.language === 'sh') await runCommands(folder, block.text)
  }
})

test('the commands of docs/existing.md run', async () => {
  const folder = emptyFolder()
  const database = new Database(join(folder, 'shop.sqlite'))
  database.exec('CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL)').close()
  const block = blocks().find(({ page }) => page === 'docs/existing.md')
  const file = `file:${join(folder, 'shop.sqlite')}`
  await runCommands(folder, block?.text.replace(/postgresql:\S+/, file) ?? '')
  expect(readFileSync(join(folder, 'shop/manifest/products.ts'), 'utf8')).toContain('.max(80)')
})

test('a new project has what docs/project.md lists', async () => {
  const folder = await newProject()
  const list = blocks().find(({ page }) => page === 'docs/project.md')?.text ?? ''
  const lines = list.split('\n').filter((line) => line.startsWith('  '))
  const paths = lines.flatMap((line) => line.slice(0, 37).trim().split(/,? +/))
  // Made later: by a computed entry, by a filter of one's own, and by the first `npm test`.
  const missing = ['app/Hooks/', 'app/Filters/', 'authorization.md']
  const there = paths.map((path) => path.replace('Product', 'Post'))
  expect(there.filter((path) => !existsSync(join(folder, path)))).toEqual(missing)
})
