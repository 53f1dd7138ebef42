import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Written by the build (compile-templates.ts). */
export const buildIdFile = fileURLToPath(new URL('./build-id', import.meta.url))

/** Changes with everything that decides what svc writes; null in the source tree, which is not counted. */
export const buildId = existsSync(buildIdFile) ? readFileSync(buildIdFile, 'utf8') : null
