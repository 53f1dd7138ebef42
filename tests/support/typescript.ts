import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ts } from 'ts-morph'
import { libraryFolder } from '../../generator/write/compile/library-folder.js'

/** The compiler of our dependencies: TypeScript 7, which checks what is on the disk, is no library. */
export { ts, ts as default } from 'ts-morph'

const library = libraryFolder(fileURLToPath(new URL('../..', import.meta.url)))

/** To be spread over a host: the declarations of the language, which that compiler has not on the disk. */
export const libraries = {
  getDefaultLibLocation: () => library,
  getDefaultLibFileName: (options: ts.CompilerOptions) =>
    posix.join(library, ts.getDefaultLibFileName(options)),
}
