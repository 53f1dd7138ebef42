import { baseOfWrites, type Client, type ClientPart } from '../client/names.js'
import { versionsFact } from './check.js'

/** Records have `meta.version`, which their changes may name. */
export const versionsInClient: ClientPart = {
  sends: (client) => (hasVersions(client) ? [version] : []),
  templates: [
    {
      path: 'parts/version-options.ts',
      at: 'options',
      view: (client) => (hasVersions(client) ? versionOptionsView(client) : null),
    },
  ],
  record: ({ api }, entity) => {
    const said = versionsFact.of(entity, api.project)
    if (said === null) return null
    const { isRequired } = said
    const options = isRequired ? 'VersionOptions' : 'ChangeOptions'
    return { options, isRequired }
  },
  meta: ({ api }, entity) =>
    versionsFact.of(entity, api.project) === null ? null : '{ version: number }',
}

const version = {
  name: 'version',
  type: 'number',
  header: '\'if-match\': `"${version}"`',
} as const

const hasVersions = ({ api: { project } }: Client): boolean =>
  project.entities.some((entity) => versionsFact.of(entity, project) !== null)

export interface VersionOptionsView {
  /** The type of what all that writes takes. */
  readonly base: string
}

function versionOptionsView(client: Client): VersionOptionsView {
  return { base: baseOfWrites(client) }
}
