import type { PrismaField, PrismaModel } from './model.js'

/** Prints a model exactly as `prisma format` would, so that the owner's editor never reformats it. */
export function printModel(model: PrismaModel): string {
  const parts = [
    printFields(model.fields),
    printFields(model.relations),
    model.attributes.map(indent),
  ]
  const body = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `model ${model.name} {\n${body.join('\n\n')}\n}\n`
}

function printFields(fields: readonly PrismaField[]): readonly string[] {
  const nameWidth = Math.max(...fields.map(({ name }) => name.length))
  const typeWidth = Math.max(...fields.map(({ type }) => type.length))
  return fields.flatMap(({ name, type, attributes, description, mark }) => {
    const cells = [name.padEnd(nameWidth), type.padEnd(typeWidth), attributes.join(' ')]
    const behind = mark === undefined ? '' : ` // ${mark}`
    return [...comment(description), indent(`${cells.join(' ').trimEnd()}${behind}`)]
  })
}

function comment(description: string | undefined): readonly string[] {
  if (description === undefined) return []
  const lines = description.split(/\r?\n/).map((line) => line.trim())
  return lines.map((line) => indent(`/// ${line}`.trimEnd()))
}

const indent = (line: string) => `  ${line}`

/** A string literal of the Prisma schema language; what JSON knows and Prisma does not is spelled as `\uXXXX`. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/\\([bf])/g, (_, kind) =>
    kind === 'b' ? '\\u0008' : '\\u000c',
  )
}
