/** The database's full text, beside objects of that kind in the developer's own schema. */
import { expect, test } from 'vitest'
import type { Database } from '../../../generator/blueprint/types.js'
import { buildSql } from '../../../generator/migrations/diff/engine.js'
import { prismaSchema } from '../../../generator/migrations/schema/schema.js'
import { migrating } from '../../support/with-features.js'
import { blueprintOf } from '../plan/fixture.js'

const own = `model Page {
  id    Int  @id
  tags  Json
  words Unsupported("tsvector")? @default(dbgenerated())

  @@index([words], map: "pages_words", type: Gin)
  @@index([tags], map: "pages_tags", type: Gin)
  @@map("pages")
}
`

const files = async (database: Database) => [
  {
    path: 'prisma/schema/svc.prisma',
    content: prismaSchema(await blueprintOf('features/full-text', database)),
  },
]

test("a column of words that is the developer's own stays, and so does its index", async () => {
  const schema = await files('postgresql')
  const sql = await buildSql(migrating('sqlite'), [
    ...schema,
    { path: 'prisma/schema/own.prisma', content: own },
  ])
  expect(sql).toContain('"words" tsvector')
  expect(sql).toContain('CREATE INDEX "pages_words" ON "pages" USING GIN ("words")')
  expect(sql).toContain('CREATE INDEX "pages_tags" ON "pages" USING GIN ("tags")')
  expect(sql.match(/"search_vector" tsvector/g)).toHaveLength(2)
})

test('line ends of Windows change nothing', async () => {
  const schema = await files('postgresql')
  const onWindows = schema.map(({ path, content }) => ({
    path,
    content: content.replaceAll('\n', '\r\n'),
  }))
  expect(await buildSql(migrating('sqlite'), onWindows)).toBe(
    await buildSql(migrating('sqlite'), schema),
  )
})
