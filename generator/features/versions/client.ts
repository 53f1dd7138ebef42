import type { ClientPart } from '../client/names.js'
import { versionsFact } from './check.js'

/** Records have `meta.version`, which their changes may name. */
export const versionsInClient: ClientPart = {
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
