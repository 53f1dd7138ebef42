import type { ClientPart } from '../client/names.js'
import { writableOf } from './written.js'

export const childrenInClient: ClientPart = {
  stored: ({ api }, entity) => writableOf(entity, api.project).map(({ key }) => key),
}
