import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Handlebars from 'handlebars'
import { buildIdFile } from './build-id.js'
import { clientOutputs } from './client/outputs.js'
import { outputs } from './outputs.js'
import { packageFile, packageFolder } from './package-files.js'
import { allRuntimeTexts, packedRuntime, packRuntime } from './runtime-archive.js'
import { compiledTemplates, templateOptions } from './template.js'

/** The last step of the build: `node dist/svc/compile-templates.js`. */
const clientPaths = clientOutputs.map(({ path }) => `client/${path}`)
const specifications = [...outputs.map(({ path }) => path), ...clientPaths].map((path) => {
  const text = packageFile(`templates/${path}.hbs`)
  return `${JSON.stringify(path)}: ${String(Handlebars.precompile(text, templateOptions))}`
})

writeFileSync(compiledTemplates, `module.exports = {\n${specifications.join(',\n')}\n}\n`)

writeFileSync(packedRuntime, JSON.stringify(packRuntime(allRuntimeTexts())))

/** The command has one place, which links of projects lead to, wherever the bundle lies. */
const command = "#!/usr/bin/env node\nimport './svc/cli.js'\n"
writeFileSync(join(packageFolder('dist'), 'cli.js'), command, { mode: 0o755 })

/** Of all that decides what svc writes: its code, templates and runtime, and the packages it asks for. */
function idOfBuild(): string {
  const id = createHash('sha1').update(packageFile('package.json'))
  for (const folder of ['dist', 'prisma', 'runtime', 'templates'].map(packageFolder)) {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    for (const file of files.toSorted()) if (file !== buildIdFile) id.update(readFileSync(file))
  }
  return id.digest('hex')
}

writeFileSync(buildIdFile, idOfBuild())
