import { isShort } from '../index-length.js'
import { like } from '../kind.js'
import { replacing } from '../rule.js'
import { sentText, text } from './text.js'

const longest = 65_535

export const textarea = like(text, {
  name: 'textarea',
  group: 'text',
  usualMax: null,
  longest,
  isIndexable: isShort,
  rule: { name: 'textarea', file: 'rules', given: replacing },
  document: { ...text.document, sent: sentText(longest) },
})
