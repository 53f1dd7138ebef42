import type { Outcome } from '../../../commands/change/generate-options.js'
import { colors } from '../../../commands/report/style.js'
import type { PlanFile } from '../../../plan/status.js'
import { settingsIn } from '../settings.js'

type Planned = Extract<Outcome, { kind: 'planned' }>

/** Types of the schema that the preview shows. */
const shown = 2

/** Shows what would be written. */
export function previewLines(
  { prepared, facts, blueprint }: Planned,
  { resolvers, force }: { readonly resolvers: boolean; readonly force: boolean },
  isColored: boolean,
): readonly string[] {
  const { bold } = colors(isColored)
  const { path, schema_file } = settingsIn(facts).output
  const { files } = prepared.plan
  const schema = files.find((file) => file.path === `${path}/${schema_file}`)
  const folder = `${path}/Resolvers/`
  const changed = files.filter(isChanged).toSorted((one, other) => {
    return rank(one, schema, folder) - rank(other, schema, folder)
  })
  const deleted = files.filter(({ status }) => status === 'deleted')
  const keys = blueprint.entities.map(({ key }) => key)
  return [
    bold('GraphQL'),
    `  Repositories found (${keys.length}): ${keys.join(', ')}`,
    `  Output directory: ${path}`,
    `  Schema file: ${schema_file}`,
    `  Generate resolvers: ${resolvers ? 'Yes' : 'No'}`,
    `  Force overwrite: ${force ? 'Yes' : 'No'}`,
    '',
    bold('Files to be written'),
    ...(changed.length === 0 ? [nothing(deleted)] : numbered(changed, folder)),
    ...deleted.map((file) => `  You deleted ${file.path}; --force brings it back.`),
    '',
    ...sample(schema?.rendered ?? '', bold),
  ]
}

/** Returns true if there is nothing to ask about. */
export const isUpToDate = ({ prepared }: Planned): boolean => !prepared.plan.files.some(isChanged)

const isChanged = ({ status, before, content, movedTo }: PlanFile) =>
  status === 'conflict' || (before !== content && status !== 'deleted' && movedTo === undefined)

/** The schema, the resolvers, and what else serves them. */
function rank(file: PlanFile, schema: PlanFile | undefined, folder: string): number {
  if (file === schema) return 0
  return file.path.startsWith(folder) ? 1 : 2
}

const nothing = (deleted: readonly PlanFile[]) =>
  deleted.length === 0 ? '  none: everything is up to date' : '  none'

/** The folder of the resolvers stands before the first of them. */
function numbered(files: readonly PlanFile[], folder: string): readonly string[] {
  const first = files.findIndex(({ path }) => path.startsWith(folder))
  const lines = files.flatMap(({ path, status, note, movedFrom }, at) => {
    const origin = movedFrom === undefined ? '' : ` from ${movedFrom}`
    const remark = note === 'replaced' ? ', your edits are replaced' : ''
    return [...(at === first ? [folder] : []), `${path} (${status}${origin}${remark})`]
  })
  const width = String(lines.length).length
  return lines.map((line, at) => `  ${String(at + 1).padStart(width)}. ${line}`)
}

/** The first types, those of records before those of arguments, and how many more follow. */
function sample(text: string, bold: (text: string) => string): readonly string[] {
  const types = text.split('\n\n').filter((part) => /^(?:"[^\n]*\n)?(?:type|input) /.test(part))
  const isInput = (part: string) => /^(?:"[^\n]*\n)?input /.test(part)
  const own = types
    .filter((part) => !/^type (?:Query|Mutation) /.test(part))
    .toSorted((one, other) => Number(isInput(one)) - Number(isInput(other)))
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
