/** A project of a manifest that a test writes, emitted, opened on an empty database. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseName } from './databases.js'
import { generateInto } from './generate.js'
import { linkModules, openFolder, type Project } from './project.js'

export interface OwnManifest {
  /** What `defineManifest` is given: `users: repository({ … }),`. */
  readonly repositories: string
  /** By entity: members of the policy in place of those that svc wrote, which allow everything here. */
  readonly policies?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** By path: further files of the owner's. */
  readonly files?: Readonly<Record<string, string>>
}

const kinds = [
  ...['belongsTo', 'belongsToMany', 'computed', 'hasMany', 'hasOne', 'morphMany', 'morphOne'],
  ...['morphTo', 'morphToMany', 'boolean', 'date', 'decimal', 'email', 'integer', 'json'],
  ...[
    'password',
    'repository',
    'select',
    'text',
    'textarea',
    'uuid',
    'dateTime',
    'float',
    'multiSelect',
  ],
]

/** A repository of people who sign in, as `Project.user` makes them. */
export const users = `users: repository({
  fields: { name: text(), email: email().unique(), password: password(), is_admin: boolean().default(false) },
}),`

export const manifestText = (repositories: string, name: DatabaseName): string => {
  const used = kinds.filter((kind) => new RegExp(`\\b${kind}\\(`).test(repositories))
  return `import { defineManifest, ${used.join(', ')} } from 'svckit'
export default defineManifest({ database: '${name}', repositories: { ${repositories} } })\n`
}

export async function openManifest(
  { repositories, policies = {}, files = {} }: OwnManifest,
  name: DatabaseName,
): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-own-'))
  const written = { 'manifest/index.ts': manifestText(repositories, name), ...files }
  for (const [path, text] of Object.entries(written)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await linkModules(folder)
  process.env['SVC_SKIP_PRISMA_CLIENT'] = '1'
  await generateInto(folder)
  openPolicies(join(folder, 'app/Policies'), policies)
  return openFolder(folder, name)
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
