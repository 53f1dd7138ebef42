import { like } from './kind.js'
import { usualRule } from './rule.js'
import { text } from './text/text.js'

export const field = like(text, { name: 'field', group: 'text', rule: usualRule('field') })
