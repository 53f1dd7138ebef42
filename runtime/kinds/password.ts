import { like } from './kind.js'
import { text } from './text.js'

export const password = like(text, { name: 'password', isPlain: false, isSecret: true })
