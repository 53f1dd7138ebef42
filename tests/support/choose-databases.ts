/** For files that share a process: each has its own databases, before it is loaded. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { chooseDatabases } from './databases.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

chooseDatabases(relative(root, expect.getState().testPath ?? '').replaceAll('\\', '/'))
