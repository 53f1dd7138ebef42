import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../../generator/blueprint/types.js'
import type { RuntimeForm } from '../../../generator/write/base/lock-file.js'
import { generateInto } from '../../support/generate.js'
import { renameColumns } from '../../support/renamed-columns.js'
import { root, type Example, type Fixture } from '../plan/fixture.js'

/** `own`: the fixture's policies where it has some. `closed`: as svc writes them. `open`: everyone may do everything. */
export type Policies = 'own' | 'closed' | 'open'

/** A fixture as `svc generate` leaves it in an empty folder, our node_modules beside it. */
export async function emit(
  fixture: Fixture | Example,
  database: Database,
  policies: Policies = 'own',
  options: {
    readonly wantsClient?: boolean
    readonly areRenamed?: boolean
    /** True: its manifest says `reads: []`, where it says nothing of them. */
    readonly hasNoReads?: boolean
    readonly runtime?: RuntimeForm
  } = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `svc-${fixture.replaceAll('/', '-')}-${database}-`))
  for (const part of policies === 'own'
    ? ['manifest', 'app', 'config', 'prisma', 'tests']
    : ['manifest']) {
    const from = join(root, 'fixtures', fixture, part)
    if (existsSync(from)) cpSync(from, join(folder, part), { recursive: true })
  }
  change(join(folder, 'manifest/index.ts'), /database: '\w+'/, `database: '${database}'`)
  if (options.hasNoReads === true) {
    change(join(folder, 'manifest/index.ts'), /repositories: \{/, 'reads: [], repositories: {')
  }
  if (options.areRenamed === true) await renameColumns(folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await generateInto(folder, options)
  if (policies === 'open') openAll(join(folder, 'app/Policies'))
  return folder
}

export function change(path: string, from: RegExp, to: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(new RegExp(from, 'g'), to))
}

function openAll(folder: string): void {
  for (const file of readdirSync(folder)) change(join(folder, file), /\(\) => false/, '() => true')
}
