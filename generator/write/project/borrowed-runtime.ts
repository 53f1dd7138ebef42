import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { packageFolder } from '../../source/package-files.js'

/** Files of the runtime that the project has not. */
export function borrowedRuntime(root: string): Plugin {
  const svc = packageFolder('.')
  const found = (path: string) => {
    const own = join(root, path)
    return { path: existsSync(own) ? own : join(svc, path) }
  }
  const asSource = (path: string) => path.replace(/\.js$/, '.ts')
  return {
    name: 'borrowed-runtime',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^#runtime\/.+\.js$/ }, ({ path }) => found(asSource(path.slice(1))))
      onResolve({ filter: /^\.\.?\/.+\.js$/ }, ({ path, resolveDir }) => {
        const asked = asSource(join(resolveDir, path))
        const [, inside] = asked.startsWith(svc) ? [null, asked.slice(svc.length)] : []
        return inside?.startsWith('runtime/') === true ? found(inside) : null
      })
    },
  }
}
