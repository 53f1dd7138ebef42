import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseName } from '../../support/databases.js'
import { generateInto } from '../../support/generate.js'
import { emit } from '../compile/emit.js'

/** The smallest project with its migration saved, and policies that let anybody in. */
export async function deployed(
  name: DatabaseName,
  edit: (manifest: string) => string = String,
): Promise<string> {
  const folder = await emit('minimal', name, 'open')
  const manifest = join(folder, 'manifest/index.ts')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, edit(text))
  if (edit(text) !== text) await generateInto(folder)
  const migrations = join(folder, 'prisma/migrations')
  mkdirSync(join(migrations, '1_init'))
  renameSync(join(migrations, 'draft.sql'), join(migrations, '1_init/migration.sql'))
  return folder
}
