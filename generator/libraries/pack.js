import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
/**
 * A step of the build: writes what svckit uses of large libraries into `dist/libraries`, a file for each, and the licences of
 * all that is in them. A project then does not install what those libraries bring along (Prisma's generator alone 55 MB).
 */
import { build, transform } from 'esbuild'

const require = createRequire(import.meta.url)
const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const out = join(root, 'dist/libraries')

/** GraphiQL as projects serve it in development: the files of its packages, by the names that the page asks for. */
const graphiql = {
  'graphiql.js': ['graphiql', 'graphiql.min.js'],
  'graphiql.css': ['graphiql', 'graphiql.min.css'],
  'react.js': ['react', 'umd/react.production.min.js'],
  'react-dom.js': ['react-dom', 'umd/react-dom.production.min.js'],
}

/** ts-morph brings the declarations of the language as texts, 3 MB; svc's compiler reads those of the project. */
const withoutDeclarations = {
  name: 'without-declarations',
  setup({ onLoad }) {
    onLoad({ filter: /ts-morph-common\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const contents = text.replace(
        /^const libFiles = \[\{$.*?^ {4}\}\];$/ms,
        'const libFiles = []',
      )
      if (contents === text) throw new Error(`${path} has its declarations elsewhere`)
      return { contents, loader: 'js' }
    })
  },
}

const packages = new Set()
/** A hash of the sources beside the result: `npm ci` builds, and so does the command after it. */
const stamp = join(root, 'dist/libraries.made')
const contents = contentsNow()
// Written last: where it is, so is the rest.
const isThere = existsSync(join(out, 'LICENSES.txt')) && existsSync(stamp)
if (contents === null || !isThere || readFileSync(stamp, 'utf8') !== contents) {
  // One that is interrupted is of nothing.
  rmSync(stamp, { force: true })
  await packAll()
  if (contents !== null) writeFileSync(stamp, contents)
}

/** Hashes the files here and all that is installed; null: it is not known. */
function contentsNow() {
  const installed = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installed)) return null
  const hash = createHash('sha256').update(readFileSync(installed))
  for (const name of readdirSync(here).toSorted()) hash.update(readFileSync(join(here, name)))
  return hash.digest('hex')
}

async function packAll() {
  mkdirSync(out, { recursive: true })
  for (const name of readdirSync(here).filter((file) => file.endsWith('.cjs'))) {
    for (const folder of await pack(name)) packages.add(folder)
  }
  for (const name of ['kysely', 'zod']) {
    for (const folder of await packModules(name)) packages.add(folder)
  }
  mkdirSync(join(root, 'dist/graphiql'), { recursive: true })
  for (const [file, [name, path]] of Object.entries(graphiql)) {
    const folder = `node_modules/${name}`
    // Minified packages are half white space.
    const options = { loader: extname(file).slice(1), minify: true, legalComments: 'eof' }
    const { code } = await transform(readFileSync(join(root, folder, path), 'utf8'), options)
    writeFileSync(join(root, 'dist/graphiql', file), code)
    addWithDependencies(folder)
  }
  writeFileSync(join(out, 'LICENSES.txt'), licences())
}

/** Writes one library, and answers the folders of the packages that are in it. */
async function pack(name) {
  // An import reads through a file for the names that it exports, of 4 MB for a fifth of a second: it finds a short one.
  const names = Object.keys(require(join(here, name))).filter((each) => each !== 'default')
  const whole = name.replace(/\.cjs$/, '.bundle.cjs')
  writeFileSync(
    join(out, name),
    `const library = require('./${whole}')\nmodule.exports = library\n0 && (module.exports = { ${names.join(', ')} })\n`,
  )
  const { metafile } = await build({
    entryPoints: [join(here, name)],
    outfile: join(out, whole),
    absWorkingDir: root,
    bundle: true,
    // Short names save 3 MB of ts-morph, and cost 50 ms whenever it is loaded.
    minify: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    // Lies beside a file of WebAssembly, which svckit installs for itself.
    external: ['@prisma/prisma-schema-wasm', '@prisma/schema-engine-wasm'],
    legalComments: 'eof',
    metafile: true,
    plugins: [withoutDeclarations],
    logLevel: 'error',
  })
  return foldersIn(metafile)
}

/** The modules of a package as one: Node needs 8 ms of CPU for Kysely, and 100 ms for its 260 modules. Answers as `pack` does. */
async function packModules(name) {
  const { metafile } = await build({
    stdin: { contents: `export * from '${name}'`, resolveDir: root },
    outfile: join(out, `${name}.mjs`),
    absWorkingDir: root,
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    legalComments: 'eof',
    metafile: true,
    logLevel: 'error',
  })
  return foldersIn(metafile)
}

function foldersIn(metafile) {
  const [output] = Object.values(metafile.outputs)
  const used = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  return used.flatMap(([path]) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
}

/** A file of GraphiQL holds all that its package depends on. */
function addWithDependencies(folder) {
  if (packages.has(folder)) return
  packages.add(folder)
  for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
    addWithDependencies(folderOf(name, folder))
  }
}

/** Returns where Node finds the imports of the package in `folder`: inside it, or further up. */
function folderOf(name, folder) {
  const inside = `${folder}/node_modules/${name}`
  if (existsSync(join(root, inside))) return inside
  const beside = folder.lastIndexOf('/node_modules/')
  return beside === -1 ? `node_modules/${name}` : folderOf(name, folder.slice(0, beside))
}

/** Each text once, below all that it is the licence of. */
function licences() {
  const texts = new Map()
  for (const folder of [...packages].toSorted()) {
    const { name, version, license, repository } = manifestOf(folder)
    const files = readdirSync(join(root, folder)).filter((file) =>
      /^(licen[cs]e|copying|notice)/i.test(file),
    )
    const own = files
      .toSorted()
      .map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
    const text = own.join('\n\n') || `Its package has no text of it: ${JSON.stringify(repository)}`
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}: ${license}`])
  }
  const parts = [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}`.trim())
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function manifestOf(path) {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
}
