import { baselineHead, hasLeftMarks, readLeftAlone } from '../../migrations/diff/left-alone.js'
import type { MigrationState } from '../../migrations/migration-state.js'
import { migrationsFolder } from '../../migrations/migrations.js'
import type { SchemaFile } from '../../migrations/schema/schema-file.js'
import type { PlanFile } from '../../plan/status.js'
import { plain } from '../../source/merge.js'
import { at, type Target } from '../target.js'

const schemaFolder = 'prisma/schema'

/** Reads the project's migrations folder. */
export function readMigrationState(target: Target): MigrationState {
  const read = (name: string) => target.files.read(at(target, `${migrationsFolder}/${name}`))
  const entries = [...target.files.list(at(target, migrationsFolder))]
  const saved = entries.flatMap(([name, kind]) => (kind === 'folder' ? [name] : []))
  const names = saved.filter((name) => read(`${name}/migration.sql`) !== null).toSorted()
  const lock = read('migration_lock.toml')
  return {
    saved: names,
    ...beginning(target, names),
    history:
      lock?.includes('"sqlite"') === true ? names.map((each) => readMigration(target, each)) : [],
    lock,
    base: read('base.prisma'),
    draft: read('draft.sql'),
    draftSchema: read('draft.prisma'),
    edited: read('draft.edited.sql'),
  }
}

/** Only a project that began with a database has some, and only its later migrations matter to them. */
function beginning(
  target: Target,
  saved: readonly string[],
): Required<Pick<MigrationState, 'left'>> & Pick<MigrationState, 'past'> {
  const [first] = saved
  const beginsWith = first === undefined ? '' : readMigration(target, first)
  if (!hasLeftMarks(beginsWith) && !beginsWith.startsWith(baselineHead)) return { left: [] }
  const texts = saved.map((name) => ({ name, sql: readMigration(target, name) }))
  return { left: readLeftAlone(texts), past: texts.map(({ sql }) => sql).join('\n') }
}

/** The text of a saved migration. */
export const readMigration = (target: Target, name: string): string =>
  target.files.read(at(target, `${migrationsFolder}/${name}/migration.sql`)) ?? ''

/** Every file of the Prisma schema as it will be once the plan is written, the developer's among them. */
export function readSchema(target: Target, planned: readonly PlanFile[]): readonly SchemaFile[] {
  const found = schemaPaths(target, schemaFolder)
  const texts = new Map(found.map((path) => [path, target.files.read(at(target, path))]))
  for (const { path, content } of planned) {
    if (path.startsWith(`${schemaFolder}/`) && path.endsWith('.prisma')) texts.set(path, content)
  }
  return [...texts]
    .flatMap(([path, content]) => (content === null ? [] : [{ path, content: plain(content) }]))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

function schemaPaths(target: Target, folder: string): readonly string[] {
  return [...target.files.list(at(target, folder))].flatMap(([name, kind]) => {
    if (kind === 'folder') return schemaPaths(target, `${folder}/${name}`)
    return name.endsWith('.prisma') ? [`${folder}/${name}`] : []
  })
}
