import { integer } from './integer.js'
import { like } from './kind.js'
import { usualRule } from './rule.js'

export const number = like(integer, { name: 'number', group: 'integer', rule: usualRule('number') })
