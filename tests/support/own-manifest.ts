/** A project of a manifest of the tests, emitted, opened on an empty database. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as svckit from '../../generator/index.js'
import type { DatabaseName } from './databases.js'
import { generateInto } from './generate.js'
import { linkModules, openFolder, type Project } from './project.js'

interface ManifestFile {
  /** From the root of svc: a manifest with `database: 'sqlite'`, which openManifest replaces on PostgreSQL. */
  readonly manifest: string
  /** What becomes of it. */
  readonly change?: ((text: string) => string) | undefined
}

interface OwnCode {
  /** By entity: members of the policy in place of those that svc wrote, which allow everything here. */
  readonly policies?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** By path: further files of the owner's. */
  readonly files?: Readonly<Record<string, string>>
  /** By path: what becomes of files that svc wrote. */
  readonly edits?: Readonly<Record<string, (text: string) => string>>
}

export type OwnManifest = ManifestFile & OwnCode

/** What a manifest may import, `defineManifest` apart. */
const vocabulary = Object.keys(svckit).filter((name) => name !== 'defineManifest')

/** A repository of people who sign in, as `Project.user` makes them. */
export const users = `users: repository({
  fields: { name: text(), email: email().unique(), password: password(), is_admin: boolean().default(false) },
}),`

/** A manifest that a story of many of them makes, with what is given for its repositories. */
export const manifestText = (
  repositories: string,
  database: DatabaseName,
  options = '',
): string => {
  const off = ['openapi: false,', 'reads: [],'].filter(
    (each) => !options.includes(each.slice(0, each.indexOf(':') + 1)),
  )
  const used = vocabulary.filter((name) =>
    new RegExp(`\\b${name}(?:<[^()]*>)?\\(`).test(repositories),
  )
  return `import { defineManifest, ${used.join(', ')} } from 'svckit'
export default defineManifest({ database: '${database}', ${off.join(' ')} ${options} repositories: { ${repositories} } })\n`
}

/** The text of a manifest file, with the database that a test runs on. */
export function manifestFrom(
  { manifest, change = String }: ManifestFile,
  database: DatabaseName,
): string {
  const text = readFileSync(join(import.meta.dirname, '../..', manifest), 'utf8')
  if (!text.includes("database: 'sqlite'")) {
    throw new Error(`${manifest} has no "database: 'sqlite'".`)
  }
  return change(text.replace("database: 'sqlite'", `database: '${database}'`))
}

export const openManifest = (
  { manifest, change, ...own }: OwnManifest,
  name: DatabaseName,
  environment = 'test',
): Promise<Project> =>
  openManifestText(manifestFrom({ manifest, change }, name), own, name, environment)

/** Of a manifest that a test makes of a table. */
export async function openManifestText(
  text: string,
  own: OwnCode,
  name: DatabaseName,
  environment = 'test',
): Promise<Project> {
  return openFolder(await emitManifestText(text, own), name, environment)
}

/** The folder of what a manifest emits. */
export const emitManifest = (
  { manifest, change, ...own }: OwnManifest,
  name: DatabaseName,
): Promise<string> => emitManifestText(manifestFrom({ manifest, change }, name), own)

export async function emitManifestText(
  text: string,
  { policies = {}, files = {}, edits = {} }: OwnCode,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-own-'))
  const written = { 'manifest/index.ts': text, ...files }
  for (const [path, contents] of Object.entries(written)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), contents)
  }
  await linkModules(folder)
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  await generateInto(folder)
  openPolicies(join(folder, 'app/Policies'), policies)
  for (const [path, edit] of Object.entries(edits)) {
    const file = join(folder, path)
    writeFileSync(file, edit(readFileSync(file, 'utf8')))
  }
  // What svc writes follows the config, too.
  if (Object.keys(edits).length > 0) await generateInto(folder)
  return folder
}

function openPolicies(folder: string, own: NonNullable<OwnManifest['policies']>): void {
  for (const file of readdirSync(folder)) {
    const members = Object.entries(own[file.replace('Policy.ts', '')] ?? {})
    const text = members.reduce(
      (before, [name, answer]) =>
        before.replace(new RegExp(`^  ${name}: .*`, 'm'), `  ${name}: ${answer},`),
      readFileSync(join(folder, file), 'utf8'),
    )
    const any = /\bany\(/.test(text) ? "import { any } from '#runtime/policy/condition.js'\n" : ''
    writeFileSync(join(folder, file), any + text.replaceAll('() => false', '() => true'))
  }
}
