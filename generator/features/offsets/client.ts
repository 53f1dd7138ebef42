import type { ClientPart } from '../client/names.js'
import { hasRead } from '../reads/feature.js'

export const offsetsInClient: ClientPart = {
  asked: ({ api }, entity) => (hasRead(entity, api.project, 'offsets') ? members : []),
  askedOfOnePage: ['offset', 'limit'],
}

const number = { isOptional: true, type: 'number' }

const members = [
  {
    ...number,
    property: 'offset',
    remark: 'How many records stand before the first; in place of `page`, and of one page alone.',
  },
  {
    ...number,
    property: 'limit',
    remark: 'How many records at most; in place of `perPage`, and of one page alone.',
  },
]
