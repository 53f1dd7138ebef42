/** A manifest whose columns all have names that bite. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the table calls a field: capitals, blanks, brackets, a comma, a quote, a letter of another script. */
export const columnFor = (field: string) => `The ${field} (Ä, 'b'); c`

/** Rewrites the manifest of a project: each field and each foreign key of its own that may has such a column. */
export async function renameColumns(folder: string): Promise<void> {
  const index = join(folder, 'manifest/index.ts')
  const text = await readFile(index, 'utf8')
  await writeFile(
    index,
    `import { withColumns } from './columns.js'\n${text.replace(
      /export default defineManifest\(([^]*)\)\s*$/,
      'export default withColumns(defineManifest($1))\n',
    )}`,
  )
  await writeFile(join(folder, 'manifest/columns.ts'), transform)
}

const transform = `
const columnFor = ${columnFor.toString()}
const kept = ['email', 'password', 'email_verified_at']
const withName = (value, name) =>
  value.type === 'field' ? (kept.includes(name) ? value : value.column(columnFor(name))) : value

function relation(value, key) {
  if (value.type !== 'relation' || value.definition.kind !== 'belongsTo') return value
  const { options } = value.definition
  const name = options.foreignKey ?? (options.relation ?? key).replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase()) + '_id'
  const definition = { ...value.definition, options: { ...options, column: columnFor(name) } }
  return Object.assign(Object.create(Object.getPrototypeOf(value)), { type: 'relation', definition })
}

const each = (entries, change) =>
  Object.fromEntries(Object.entries(entries ?? {}).map(([name, value]) => [name, change(value, name)]))

export const withColumns = (manifest) => ({
  ...manifest,
  repositories: each(manifest.repositories, ({ definition, ...rest }) => ({
    ...rest,
    definition: {
      ...definition,
      fields: each(definition.fields, withName),
      related: each(definition.related, relation),
    },
  })),
})
`
