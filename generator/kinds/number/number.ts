import { like } from '../kind.js'
import { usualRule } from '../rule.js'
import { integer } from './integer.js'

export const number = like(integer, { name: 'number', group: 'integer', rule: usualRule('number') })
