import type { Client, ClientPart } from '../client/names.js'
import { hasRead, isReadIn } from '../reads/feature.js'

export const cursorsInClient: ClientPart = {
  hasCursors: ({ api }, entity) => hasRead(entity, api.project, 'cursors'),
  templates: [
    { path: 'parts/walk-on.ts', at: 'walks', view: viewOfAny },
    { path: 'parts/cursor-page.ts', at: 'pages', view: viewOfAny },
  ],
}

function viewOfAny({ api }: Client): object | null {
  return isReadIn(api.project, 'cursors') ? {} : null
}
