import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { plain } from '../../source/merge.js'
import { packageFile, packageFolder } from '../../source/package-files.js'

/** Texts by path. */
export type RuntimeTexts = ReadonlyMap<string, string>

const header =
  "svc's runtime: the same text in every project. Edits here are merged on the next run."

/** Comments of the kinds of files; pages that browsers read are among them. */
const headers: Readonly<Record<string, string>> = {
  ts: `// ${header}\n\n`,
  js: `// ${header}\n\n`,
  css: `/* ${header} */\n\n`,
  html: `<!-- ${header} -->\n\n`,
  svg: `<!-- ${header} -->\n\n`,
}

const headerOf = (path: string) => headers[path.split('.').at(-1) ?? '']

/** A file of the runtime as a project has it. */
export const runtimeText = (path: string, text: string): string => `${headerOf(path) ?? ''}${text}`

/** Every file of the runtime as this svc writes it, whatever a project uses; its README differs from project to project. */
export function allRuntimeTexts(): RuntimeTexts {
  const paths = readdirSync(packageFolder('runtime'), { recursive: true, encoding: 'utf8' })
    .map((path) => `runtime/${path.replaceAll('\\', '/')}`)
    .filter((path) => headerOf(path) !== undefined)
  return new Map(paths.toSorted().map((path) => [path, runtimeText(path, packageFile(path))]))
}

export interface RuntimeArchive {
  /** Says what is in it: the same texts have the same name on every machine. */
  readonly name: string
  readonly content: string
}

/** With what tells its texts without unpacking them, by path. */
export interface PackedRuntime extends RuntimeArchive {
  readonly hashes: Readonly<Record<string, string | undefined>>
}

/** Hashes a text as svc compares it, whatever its line endings. */
export const hashOfText = (text: string) =>
  createHash('sha256').update(plain(text)).digest('hex').slice(0, 16)

/** Made by the build (compile-templates.ts), so that two people commit the same bytes whatever their Node packs. */
export const packedRuntime = fileURLToPath(new URL('./runtime-archive.json', import.meta.url))

let archive: PackedRuntime | undefined

/** The archive of this svc. */
export function runtimeArchive(): PackedRuntime {
  archive ??= existsSync(packedRuntime)
    ? (JSON.parse(readFileSync(packedRuntime, 'utf8')) as PackedRuntime)
    : packRuntime(allRuntimeTexts())
  return archive
}

/** Smaller by a tenth takes twenty times as long; the same wherever it is packed. */
const quality = 9

/** As text, like everything that svc writes: base64 in lines. */
export function packRuntime(texts: RuntimeTexts): PackedRuntime {
  const json = Buffer.from(JSON.stringify([...texts]))
  const packed = brotliCompressSync(json, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
    },
  })
  const lines = packed.toString('base64').match(/.{1,100}/g) ?? []
  const hashes = Object.fromEntries([...texts].map(([path, text]) => [path, hashOfText(text)]))
  return { name: `runtime-${hash(json)}.br.txt`, content: `${lines.join('\n')}\n`, hashes }
}

/** Null when it is not what its name says: torn, or edited. */
export function unpackRuntime({ name, content }: RuntimeArchive): RuntimeTexts | null {
  try {
    const json = brotliDecompressSync(Buffer.from(content, 'base64'))
    return name.includes(hash(json)) ? new Map(JSON.parse(json.toString('utf8'))) : null
  } catch {
    return null
  }
}

const hash = (json: Buffer) => createHash('sha256').update(json).digest('hex').slice(0, 16)
