import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Database } from '../../generator/blueprint/types.js'
import { renderFixture, root, type Fixture } from '../plan/fixture.js'

/** A fixture as a project on the disk: its owner's files over the rendered ones, our node_modules beside them. */
export async function emit(fixture: Fixture, database: Database): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `svc-${fixture}-${database}-`))
  for (const { path, content } of await renderFixture(fixture, database)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  for (const part of ['app', 'manifest']) {
    const own = join(root, 'fixtures', fixture, part)
    if (existsSync(own)) cpSync(own, join(folder, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
