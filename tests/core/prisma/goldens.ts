import { join } from 'node:path'
import type { Database } from '../../../generator/blueprint/types.js'
import { root } from '../plan/fixture.js'

/** Beside its manifest: a new kind of field changes this folder, and no other golden. */
export const everyKindFolder = join(root, 'fixtures/every-kind/expected')

/** The schema of a fixture as Prisma reads it, or its SQL. */
export const goldenOf = (name: string, database: Database, ending: 'prisma' | 'sql'): string =>
  name === 'every-kind'
    ? join(everyKindFolder, `${database}.${ending}`)
    : join(root, 'tests/core/prisma/expected', `${name}.${database}.${ending}`)
