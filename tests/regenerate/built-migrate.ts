import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { fill } from '../write/folder.js'

/**
 * Lets `npm run migrate` start what `app/migrate.ts` is built into, which does not depend on the manifest: starting it from
 * its TypeScript takes most of a run, and a test has many.
 */
export function buildMigrate(root: string): void {
  buildSync({
    entryPoints: [join(root, 'app/migrate.ts')],
    outfile: join(root, 'storage/migrate.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  const built = text.replace('"migrate": "tsx app/migrate.ts"', '"migrate": "node storage/migrate.mjs"')
  if (built === text) throw new Error('package.json has no such script')
  fill(root, { 'package.json': built })
}
