import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite, type SqliteDatabase } from '../../../runtime/database/sqlite/open.js'
import { prismaSqlite } from '../../../runtime/database/sqlite/prisma.js'
import { createGate } from '../../support/gate.js'
import { openSqliteFile, statement, type Opened } from './databases.js'

const schema = `generator client {
  provider = "prisma-client"
  output   = "./client"
  importFileExtension = "ts"
  moduleFormat = "esm"
}
datasource db {
  provider = "sqlite"
}
model Note {
  id   Int      @id @default(autoincrement())
  text String   @unique
  at   DateTime
  @@map("notes")
}
`

interface Notes {
  create(query: object): Promise<{ id: number }>
  findMany(query?: object): Promise<{ id: number; text: string; at: Date }[]>
  count(): Promise<number>
}

interface Client {
  readonly note: Notes
  $transaction<T>(work: (tx: { note: Notes }) => Promise<T>): Promise<T>
  $queryRawUnsafe(sql: string): Promise<unknown>
  $disconnect(): Promise<void>
}

let opened: Opened<SqliteDatabase>
let database: SqliteDatabase
let prisma: Client

beforeAll(async () => {
  opened = await openSqliteFile()
  database = opened.database
  await database.query(
    statement(
      'CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL UNIQUE, at DATETIME NOT NULL)',
    ),
    [],
  )
  const PrismaClient = await generateClient(opened.folder)
  prisma = new PrismaClient({ adapter: prismaSqlite(database) })
})

afterAll(async () => {
  await prisma.$disconnect()
  await opened.close()
})

beforeEach(() => database.query(statement('DELETE FROM notes'), []))

const insert = statement('INSERT INTO notes (text, at) VALUES (?, ?) RETURNING id')
const at = '2026-02-03T04:05:06.789+00:00'
const count = statement('SELECT count(*) FROM notes', 'read')

describe('Prisma on the same file', () => {
  it('writes dates as the kernel writes them', async () => {
    await prisma.note.create({ data: { text: 'a', at: new Date('2026-02-03T04:05:06.789Z') } })
    expect(await database.query(statement('SELECT text, at FROM notes', 'read'), [])).toEqual([
      ['a', at],
    ])
  })

  it('takes turns with the kernel: 200 mixed writes around transactions of both', async () => {
    const [began, gate] = [createGate(), createGate()]
    const held = prisma.$transaction(async (tx) => {
      await tx.note.create({ data: { text: 'held', at: new Date() } })
      began.open()
      await gate.opened
      await tx.note.create({ data: { text: 'held too', at: new Date() } })
    })
    await began.opened
    const kernels = database.transaction(async (connection) => {
      await connection.query(insert, ['kernel', at])
      await turnOfTheLoop()
      await connection.query(insert, ['kernel too', at])
    })
    const mixed = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0
        ? database.query(insert, [`k${index}`, at])
        : prisma.note.create({ data: { text: `p${index}`, at: new Date() } }),
    )
    // The transaction is open until the process, with all the others waiting, goes on to end it.
    for (let turn = 0; turn < 50; turn += 1) {
      expect(await prisma.note.count()).toBe(0)
      await turnOfTheLoop()
    }
    gate.open()
    await Promise.all([held, kernels, ...mixed])
    expect(await prisma.note.count()).toBe(204)
  })

  it('reads beside an open transaction without seeing it', async () => {
    const failing = prisma.$transaction(async (tx) => {
      await tx.note.create({ data: { text: 'never', at: new Date() } })
      expect(await prisma.note.count()).toBe(0)
      expect(await tx.note.count()).toBe(1)
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect(await database.query(count, [])).toEqual([[0]])
    await database.query(insert, ['after', at])
  })

  it('gives the turn back when a write fails', async () => {
    await database.query(insert, ['taken', at])
    const data = { text: 'taken', at: new Date() }
    await expect(prisma.note.create({ data })).rejects.toThrow('Unique constraint')
    const inside = prisma.$transaction((tx) => tx.note.create({ data }))
    await expect(inside).rejects.toThrow('Unique constraint')
    await database.query(insert, ['free', at])
    expect((await prisma.note.findMany()).length).toBe(2)
  })

  it("waits for the disk as the server's own connection does", async () => {
    const asked = await prisma.$queryRawUnsafe('PRAGMA synchronous')
    expect(asked).toEqual([{ synchronous: 2n }])
  })

  it('rejects a database in memory, which it could not reach', async () => {
    const memory = openSqlite(':memory:')
    expect(() => prismaSqlite(memory)).toThrow('give DATABASE_URL a file')
    await memory.close()
  })
})

type Constructor = new (options: { adapter: unknown }) => Client

/** As the emitted project's client is made, without Prisma's command line. */
async function generateClient(folder: string): Promise<Constructor> {
  const require = createRequire(import.meta.url)
  const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts')
  const { getDMMF, getConfig } = require('@prisma/internals')
  const file = join(folder, 'schema.prisma')
  await writeFile(file, schema)
  await mkdir(join(folder, 'client'))
  await symlink(
    fileURLToPath(new URL('../../../node_modules', import.meta.url)),
    join(folder, 'node_modules'),
  )
  const datamodel = [[file, schema]]
  const config = await getConfig({ datamodel })
  const generator = config.generators[0]
  generator.output = { value: join(folder, 'client'), fromEnvVar: null }
  await new PrismaClientTsGenerator().generate({
    datamodel: schema,
    schemaPath: file,
    dmmf: await getDMMF({ datamodel }),
    datasources: config.datasources,
    generator,
    otherGenerators: [],
    version: '7.10.0',
    binaryPaths: {},
    noHints: true,
    allowNoModels: false,
  })
  const module = await import(pathToFileURL(join(folder, 'client', 'client.ts')).href)
  return module.PrismaClient as Constructor
}
