import { migrationPaths, migrationsFolder, type MigrationState } from '../plan/prisma/migrations.js'
import { at, type Target } from './target.js'

/** What the project's `prisma/migrations` holds, for `planMigrations` and `planSave`. */
export function readMigrationState(target: Target): MigrationState {
  const read = (path: string) => target.files.read(at(target, path))
  const folders = [...target.files.list(at(target, migrationsFolder))]
  const names = folders.filter(([, kind]) => kind === 'folder').map(([name]) => name)
  return {
    saved: names
      .filter((name) => read(`${migrationsFolder}/${name}/migration.sql`) !== null)
      .sort(),
    lock: read(migrationPaths.lock),
    base: read(migrationPaths.base),
    draft: read(migrationPaths.draft),
    draftSchema: read(migrationPaths.draftSchema),
  }
}
