import type { ClientPart } from '../client/names.js'
import { hasRead } from '../reads/feature.js'

export const cursorsInClient: ClientPart = {
  hasCursors: ({ api }, entity) => hasRead(entity, api.project, 'cursors'),
}
