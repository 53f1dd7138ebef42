import { boolean } from './boolean.js'
import { like } from './kind.js'
import { usualRule } from './rule.js'

export const toggle = like(boolean, { name: 'toggle', group: 'boolean', rule: usualRule('toggle') })
