import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform, type OnLoadResult } from 'esbuild'

/** In one script every file has the same place; what a file says of its own is said before they meet. */
export async function placedCode(path: string, text: string): Promise<OnLoadResult> {
  const loader = /ts$/.test(path) ? 'ts' : 'js'
  try {
    const { code } = await transform(text, {
      loader,
      sourcefile: path,
      sourcemap: 'inline',
      sourcesContent: false,
      keepNames: true,
      target: 'node20',
      define: { 'import.meta': 'svcImportMeta' },
    })
    const meta = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) }
    return { contents: `const svcImportMeta = ${JSON.stringify(meta)};${code}`, loader: 'js' }
  } catch {
    // Its problems are reported at their place in the bundle, like those of every other file.
    return { contents: text, loader }
  }
}
