import { expect, test } from 'vitest'
import { onlyAdds } from '../../../generator/commands/database/only-adds.js'

test.each([
  ['', true],
  ['-- Careful: DROP\nCREATE TABLE "a" ("id" INTEGER NOT NULL PRIMARY KEY);', true],
  ['CREATE UNIQUE INDEX "a_key" ON "a"("b");\nALTER TABLE "a" ADD COLUMN "c" TEXT;', true],
  [`ALTER TABLE "a" ADD COLUMN "b" TEXT NOT NULL DEFAULT 'x', ADD COLUMN "c" TEXT;`, true],
  ['ALTER TABLE "a" ADD COLUMN "b" TEXT NOT NULL;', false],
  [`ALTER TABLE "a" ADD COLUMN "b" TEXT NOT NULL,\nADD COLUMN "c" TEXT DEFAULT 'x';`, false],
  ['ALTER TABLE "a" ADD COLUMN "b" DECIMAL(10,2) NOT NULL;', false],
  ['ALTER TABLE "a" ADD COLUMN "b" DECIMAL(10,2) NOT NULL DEFAULT (0);', true],
  ['ALTER TABLE "a" ADD COLUMN "b" TEXT,\nDROP COLUMN "c";', false],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;', false],
  ['ALTER TABLE "a" RENAME COLUMN "b" TO "c";', false],
  [
    'CREATE TABLE "new_a" ("id" INTEGER);\nDROP TABLE "a";\nALTER TABLE "new_a" RENAME TO "a";',
    false,
  ],
  [`UPDATE "a" SET "b" = 'x';`, false],
])('a server goes on while this runs, or waits: %s', (sql, isGoingOn) => {
  expect(onlyAdds(sql)).toBe(isGoingOn)
})
