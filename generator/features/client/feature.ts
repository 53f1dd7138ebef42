import type { Feature } from '../../write/feature.js'
import { clientCheck } from './check.js'
import { clientReader } from './reader.js'

/** The typed client, in a folder of its own. */
export const client: Feature = { name: 'client', check: clientCheck, reader: clientReader }
