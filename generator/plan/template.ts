import Handlebars from 'handlebars'
import { literal } from './literal.js'
import { packageFile } from './package-files.js'

type Helper = (value: unknown) => string

/** Strict mode does not guard the arguments of helpers, so they refuse `undefined` themselves. */
const helpers: Readonly<Record<string, Helper>> = {
  list: (values) => strings('list', values).join(', '),
  quote: (value) => literal(string('quote', value)),
  quoteList: (values) => strings('quoteList', values).map(literal).join(', '),
}

const engine = createEngine()
const compiled = new Map<string, Handlebars.TemplateDelegate>()

/** Lays out one view. `template` is a path in `templates/`, without `.hbs`. */
export function layOut(template: string, view: object): string {
  const known = compiled.get(template) ?? compile(template)
  compiled.set(template, known)
  return known(view)
}

function compile(template: string): Handlebars.TemplateDelegate {
  return engine.compile(packageFile(`templates/${template}.hbs`), {
    strict: true,
    noEscape: true,
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
  })
}

function createEngine(): typeof Handlebars {
  const created = Handlebars.create()
  for (const [name, helper] of Object.entries(helpers)) created.registerHelper(name, helper)
  return created
}

function string(helper: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new Error(`{{${helper}}} wants a string and was given ${typeof value}`)
}

function strings(helper: string, values: unknown): readonly string[] {
  if (Array.isArray(values)) return values.map((value) => string(helper, value))
  throw new Error(`{{${helper}}} wants a list and was given ${typeof values}`)
}
