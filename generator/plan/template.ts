import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type Handlebars from 'handlebars'
import { packageFile } from '../source/package-files.js'
import { helpers } from './render/helpers.js'

type LayOut = (view: object) => string

/** Nothing is escaped: this is source, not HTML. A view that lacks what a template asks for is a bug, and throws. */
export const templateOptions = {
  strict: true,
  noEscape: true,
  knownHelpersOnly: true,
  knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
}

/** Made by the build (compile-templates.ts): parsing all templates takes longer than the rest of a run. */
export const compiledTemplates = fileURLToPath(new URL('./compiled-templates.cjs', import.meta.url))

const require = createRequire(import.meta.url)
const layouts = new Map<string, LayOut>()

/** Lays out one view. `template` is a path in `templates/`, without `.hbs`. */
export function layOut(template: string, view: object): string {
  const known = layouts.get(template) ?? load(template)
  layouts.set(template, known)
  return known(view)
}

/** A template from its text; in the source tree all are. */
export function fromText(text: string): LayOut {
  return withHelpers(require('handlebars')).compile(text, templateOptions)
}

function load(template: string): LayOut {
  if (!existsSync(compiledTemplates)) return fromText(packageFile(`templates/${template}.hbs`))
  // The build wrote one specification per template; the small half of Handlebars runs them.
  const specifications: Readonly<Record<string, TemplateSpecification>> = require(compiledTemplates)
  const specification = specifications[template]
  if (specification === undefined) throw new Error(`the build knows no template '${template}'`)
  return withHelpers(require('../libraries/handlebars-runtime.cjs')).template(specification)
}

function withHelpers(handlebars: typeof Handlebars): typeof Handlebars {
  handlebars.registerHelper(helpers)
  return handlebars
}
