import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = (path: string) => readFileSync(path, 'utf8')

/**
 * Below its first line, the runtime of an emitted project is the checkout's text, which a run of the tests then loads once
 * and not for every project. A runtime file with another text is loaded as it is.
 */
export const sharedRuntime: Plugin = {
  name: 'shared-runtime',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (found === null || !found.id.startsWith(tmpdir())) return found
    const [, path] = /\/svc-[^/]+\/(runtime\/.+\.ts)$/.exec(found.id) ?? []
    const original = join(root, path ?? '')
    if (path === undefined || !existsSync(original)) return found
    const emitted = text(found.id)
    const isSame = emitted.slice(emitted.indexOf('\n\n') + 2) === text(original)
    return isSame ? original : found
  },
}
