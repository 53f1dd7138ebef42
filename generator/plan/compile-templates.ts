import { writeFileSync } from 'node:fs'
import Handlebars from 'handlebars'
import { outputs } from './outputs.js'
import { packageFile } from './package-files.js'
import { compiledTemplates, templateOptions } from './template.js'

/** The last step of the build: `node dist/plan/compile-templates.js`. */
const specifications = outputs.map(({ path }) => {
  const text = packageFile(`templates/${path}.hbs`)
  return `${JSON.stringify(path)}: ${String(Handlebars.precompile(text, templateOptions))}`
})

writeFileSync(compiledTemplates, `module.exports = {\n${specifications.join(',\n')}\n}\n`)
