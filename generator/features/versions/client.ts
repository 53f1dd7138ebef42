import type { ClientPart } from '../client/names.js'
import { versionedOf } from './versioned.js'

/** Records have `meta.version`, which their changes may name. */
export const versionsInClient: ClientPart = {
  record: ({ api }, entity) => {
    const said = versionedOf(entity, api.project)
    if (said === null) return null
    const { isRequired } = said
    const options = isRequired ? 'VersionOptions' : 'ChangeOptions'
    return { options, isRequired }
  },
  meta: ({ api }, entity) =>
    versionedOf(entity, api.project) === null ? null : '{ version: number }',
}
