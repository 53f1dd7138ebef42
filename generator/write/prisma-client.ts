import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { PrismaSchemaError, problemsOf } from '../migrations/schema/schema-error.js'

const schemaFolder = 'prisma/schema'
const clientFolder = 'prisma/client'
const marker = '.schema-hash'

/**
 * Checks in about a millisecond whether `prisma/client` was generated from the files of `prisma/schema`. Returns `nothing` if
 * there is no schema. The emitted `scripts/prisma-client.js` keeps the same hash beside the client.
 */
export function clientState(root: string): 'same' | 'stale' | 'nothing' {
  const datamodel = readSchema(root)
  if (datamodel.length === 0) return 'nothing'
  const out = join(root, clientFolder)
  const isSame =
    readText(join(out, marker)) === hashOf(root, datamodel) && existsSync(join(out, 'client.ts'))
  return isSame ? 'same' : 'stale'
}

/**
 * Generates `prisma/client` from the files of `prisma/schema`, as `prisma generate` does, but without the engine that that
 * command downloads. Does nothing if the schema has not changed. Otherwise it needs about a second of CPU, most of it to load
 * Prisma. Throws `PrismaSchemaError` if the schema is wrong, and then leaves the existing client alone.
 */
export async function generatePrismaClient(root: string): Promise<'made' | 'same' | 'nothing'> {
  const state = clientState(root)
  if (state !== 'stale') return state
  const datamodel = readSchema(root)
  const out = join(root, clientFolder)
  // One that is interrupted is of no schema.
  rmSync(join(out, marker), { force: true })
  await generate(root, datamodel, out)
  writeFileSync(join(out, marker), hashOf(root, datamodel))
  return 'made'
}

/** Path and text of each file, in order of path, subfolders included: what Prisma's own commands read. */
function readSchema(root: string): [string, string][] {
  const folder = join(root, schemaFolder)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const paths = names
    .filter((name) => name.endsWith('.prisma'))
    .map((name) => name.replaceAll(sep, '/'))
  return paths
    .toSorted()
    .map((path) => [
      posix.join(schemaFolder, path),
      withoutMark(readFileSync(join(folder, path), 'utf8')),
    ])
}

/** Editors on Windows write a byte order mark, and Prisma takes it for a word. */
const withoutMark = (text: string) => text.replace(/^\uFEFF/, '')

/** Hashes the schema, and the Prisma that the project asks for. */
function hashOf(root: string, datamodel: readonly (readonly [string, string])[]): string {
  return createHash('sha256')
    .update(JSON.stringify([askedVersion(root), datamodel]))
    .digest('hex')
}

function askedVersion(root: string): string {
  try {
    const project: unknown = JSON.parse(readText(join(root, 'package.json')) ?? '{}')
    const { dependencies } = project as { dependencies?: Record<string, string> }
    return dependencies?.['@prisma/client'] ?? ''
  } catch {
    // Whoever needs the file says what is wrong with it.
    return ''
  }
}

async function generate(root: string, datamodel: [string, string][], out: string): Promise<void> {
  const { getConfig, getDMMF, PrismaClientTsGenerator, enginesVersion } =
    await import('../libraries/prisma.cjs')
  const config = await readable(getConfig({ datamodel }))
  const dmmf = await readable(getDMMF({ datamodel }))
  // Others are the developer's; Prisma's own command runs them.
  const generator = config.generators.find(({ provider }) => provider.value === 'prisma-client')
  if (generator === undefined) return
  await new PrismaClientTsGenerator().generate({
    datamodel: datamodel.map(([, text]) => text).join('\n'),
    schemaPath: join(root, schemaFolder),
    dmmf,
    datasources: config.datasources,
    generator: { ...generator, output: { value: out, fromEnvVar: null } },
    otherGenerators: [],
    // Release and commit of the engine, as Prisma's own command writes it into the client.
    version: enginesVersion,
    binaryPaths: {},
    noHints: true,
    allowNoModels: true,
  })
}

async function readable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const problems = problemsOf(error instanceof Error ? error.message : '')
    throw problems.length > 0 ? new PrismaSchemaError(problems) : error
  }
}

function readText(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
