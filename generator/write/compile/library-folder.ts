import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Where the project's TypeScript keeps the declarations of the language (`lib.es2023.d.ts`). Since 7 they lie beside the
 * compiler of one platform; svc's own compiler, which reads them, has none on the disk.
 */
export function libraryFolder(root: string): string {
  const typescript = createRequire(join(root, 'package.json')).resolve('typescript/package.json')
  const libFolder = join(dirname(typescript), 'lib')
  if (existsSync(join(libFolder, 'lib.d.ts'))) return slashed(libFolder)
  const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`
  return slashed(join(dirname(createRequire(typescript).resolve(platform)), 'lib'))
}

/** As the compiler writes paths, on every system. */
const slashed = (path: string) => path.replaceAll('\\', '/')
