import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Handlebars from 'handlebars'
import { packageFile, packageFolder } from '../../source/package-files.js'
import { compiledTemplates, templateOptions } from '../template.js'
import { buildIdFile } from './build-id.js'
import { allRuntimeTexts, packedRuntime, packRuntime } from './runtime-archive.js'

/** The last step of the build: `node dist/svc/compile-templates.js`. */
const templates = readdirSync(packageFolder('templates'), { recursive: true, encoding: 'utf8' })
const paths = templates
  .filter((path) => path.endsWith('.hbs'))
  .map((path) => path.replaceAll('\\', '/').replace(/\.hbs$/, ''))
const specifications = paths.toSorted().map((path) => {
  const text = packageFile(`templates/${path}.hbs`)
  return `${JSON.stringify(path)}: ${String(Handlebars.precompile(text, templateOptions))}`
})

writeFileSync(compiledTemplates, `module.exports = {\n${specifications.join(',\n')}\n}\n`)

writeFileSync(packedRuntime, JSON.stringify(packRuntime(allRuntimeTexts())))

/** The command has one place, which links of projects lead to, wherever the bundle lies. */
const command = "#!/usr/bin/env node\nimport './svc/cli.js'\n"
writeFileSync(join(packageFolder('dist'), 'cli.js'), command, { mode: 0o755 })

/** Made of `runtime/`, which is read itself. */
const isOfRuntime = (path: string) => path.startsWith(join(packageFolder('dist'), 'svckit-runtime'))

/**
 * Hashes all that decides what svc writes: its code, templates and runtime, and the packages it
 * asks for.
 */
function idOfBuild(): string {
  const id = createHash('sha1').update(packageFile('package.json'))
  for (const folder of ['dist', 'prisma', 'runtime', 'templates'].map(packageFolder)) {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => file !== buildIdFile && !isOfRuntime(file))
    for (const file of files.toSorted()) id.update(readFileSync(file))
  }
  return id.digest('hex')
}

writeFileSync(buildIdFile, idOfBuild())
