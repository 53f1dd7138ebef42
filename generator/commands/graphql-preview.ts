import type { PlanFile } from '../plan/status.js'
import type { Outcome } from './generate-project.js'
import { colors } from './style.js'

/** Types of the schema that the preview shows. */
const shown = 2

/** What would be written, before it is. */
export function previewLines(
  { prepared, graphql, blueprint }: Extract<Outcome, { kind: 'planned' }>,
  { resolvers, force }: { readonly resolvers: boolean; readonly force: boolean },
  isColored: boolean,
): readonly string[] {
  const { bold } = colors(isColored)
  const { path, schema_file } = graphql.settings.output
  const { files } = prepared.plan
  const changed = files.filter(isChanged)
  const keys = blueprint.entities.map(({ key }) => key)
  const schema = files.find((file) => file.path === `${path}/${schema_file}`)
  return [
    bold('GraphQL'),
    `  Repositories found (${keys.length}): ${keys.join(', ')}`,
    `  Output directory: ${path}`,
    `  Schema file: ${schema_file}`,
    `  Generate resolvers: ${resolvers ? 'Yes' : 'No'}`,
    `  Force overwrite: ${force ? 'Yes' : 'No'}`,
    '',
    bold('Files to be written'),
    ...(changed.length === 0 ? ['  none: everything is up to date'] : numbered(changed)),
    '',
    ...sample(schema?.rendered ?? '', bold),
  ]
}

const isChanged = ({ status, before, content }: PlanFile) =>
  status === 'conflict' || (before !== content && status !== 'deleted')

function numbered(files: readonly PlanFile[]): readonly string[] {
  const width = String(files.length).length
  return files.map(({ path, status, note }, at) => {
    const remark = note === 'replaced' ? ', your edits are replaced' : ''
    return `  ${String(at + 1).padStart(width)}. ${path} (${status}${remark})`
  })
}

/** The first types, and how many more follow. */
function sample(text: string, bold: (text: string) => string): readonly string[] {
  const types = text.split('\n\n').filter((part) => /^(?:"[^\n]*\n)?(?:type|input) /.test(part))
  const own = types.filter((part) => !/^type (?:Query|Mutation) /.test(part))
  const more = own.length - shown
  return [
    bold('Sample of the schema'),
    ...own.slice(0, shown).flatMap((part) => [
      ...part
        .trimEnd()
        .split('\n')
        .map((line) => `  ${line}`),
      '',
    ]),
    ...(more > 0 ? [`  … and ${more} more ${more === 1 ? 'type' : 'types'}`] : []),
  ]
}
