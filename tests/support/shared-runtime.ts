import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = (path: string) => readFileSync(path, 'utf8')

/**
 * An emitted project that imports the package `svckit-runtime` gets the sources it is made of, which a run of the tests then
 * loads once and not for every project. So does one that has the files: below their first line they are the checkout's text.
 * A runtime file with another text is loaded as it is.
 */
export const sharedRuntime: Plugin = {
  name: 'shared-runtime',
  enforce: 'pre',
  // The folder of an emitted project is another one each time.
  configureVitest: ({ experimental_defineCacheKeyGenerator: define }) =>
    define(({ id }) => (id.startsWith(tmpdir()) ? false : undefined)),
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    // Vite follows `imports` of package.json to files, and not to a package.
    const [, packed] = /^#(runtime\/.+)\.js$/.exec(source) ?? []
    const isPackage = found === null || found.id.includes('/svckit-runtime/')
    if (packed !== undefined && isPackage && importer?.startsWith(tmpdir()) === true) {
      return join(root, `${packed}.ts`)
    }
    if (found === null || !found.id.startsWith(tmpdir())) return found
    const [, path] = /\/svc-[^/]+\/(runtime\/.+\.ts)$/.exec(found.id) ?? []
    const original = join(root, path ?? '')
    if (path === undefined || !existsSync(original)) return found
    const emitted = text(found.id)
    const isSame = emitted.slice(emitted.indexOf('\n\n') + 2) === text(original)
    return isSame ? original : found
  },
}
