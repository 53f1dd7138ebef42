import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generatePrismaClient } from '../../../generator/write/prisma-client.js'
import { databases, load as loadFrom, openProject, type Project } from '../../support/project.js'

/** Values written through a repository and through Prisma's client are stored alike. */
describe.each(databases)('rows of Prisma and of the kernel on %s', (name) => {
  let project: Project

  beforeAll(async () => {
    project = await openProject('every-kind', name)
    await generatePrismaClient(project.folder)
  })
  afterAll(() => project.close())

  const load = (path: string) => loadFrom(project.folder, path)

  const values = {
    field: 'a',
    textarea: 'two\nlines 😀 Ärger',
    number: 7,
    integer: -5,
    big_integer: '9007199254740993',
    float: 1.25,
    decimal: '12.500',
    boolean: false,
    toggle: true,
    date: '2026-02-03',
    date_time: '2026-02-03T04:05:06.700Z',
    json: { list: [1, 'two', null], nested: { deep: true } },
    multi_select: ['mon', 'tue'],
    uuid: '0190a000-0000-7000-8000-0000000000ab',
    select: "it's",
    maybe_date: '1999-12-31',
    maybe_json: { number: 5 },
    maybe_decimal: '123',
    maybe_days: ['tue'],
    maybe_boolean: true,
    maybe_float: -0.5,
  }

  it('are identical, column by column, and are read back alike', async () => {
    const { SamplePolicy } = await load('app/Policies/SamplePolicy.ts')
    Object.assign(SamplePolicy, { show: () => true, store: () => true })
    const { SampleRepository } = await load('app/Repositories/SampleRepository.ts')
    const { prisma } = await load('app/prisma.ts')
    const { hashPassword } = await load('runtime/features/sign-in/password.ts')
    const password = 'a long password'
    const byKernel = await SampleRepository.store(null, {
      ...values,
      text: 'one',
      email: 'a@x.org',
      password,
    })
    // Prisma takes dates, and ids of its own making; the rest is the same.
    const { id } = await prisma.sample.create({
      data: {
        ...values,
        id: '0190a000-0000-7000-8000-000000000001',
        uuid: values.uuid.replace('ab', 'ac'),
        big_integer: 9007199254740993n,
        text: 'two',
        email: 'b@x.org',
        password: await hashPassword(password),
        date: new Date(`${values.date}T00:00:00.000Z`),
        date_time: new Date(values.date_time),
        maybe_date: new Date(`${values.maybe_date}T00:00:00.000Z`),
        created_at: new Date(byKernel.attributes.created_at),
        updated_at: new Date(byKernel.attributes.updated_at),
      },
    })
    const own = new Set(['id', 'text', 'email', 'password', 'uuid'])
    const names = [...SampleRepository.definition.columns.keys()].filter(
      (column) => !own.has(column),
    )
    const type = name === 'sqlite' ? 'typeof' : 'pg_typeof'
    const columns = names.flatMap((column) => [
      `cast("${column}" as text)`,
      `cast(${type}("${column}") as text)`,
    ])
    const sql = `select ${columns.join(', ')} from samples order by text`
    const rows = await project.database.query({ sql, access: 'read' }, [])
    const [one = [], two = []] = rows
    const told = (row: readonly unknown[]) =>
      names.map((column, at) => [column, row[at * 2], row[at * 2 + 1]])
    expect(told(two)).toEqual(told(one))
    const shown = await SampleRepository.show(null, id)
    const { text, email, uuid, ...rest } = byKernel.attributes
    expect(shown.attributes).toMatchObject(rest)
    expect([text, email, uuid]).toEqual(['one', 'a@x.org', values.uuid])
    await prisma.$disconnect()
  })

  it('all unique values that are taken are reported at once, with one more statement', async () => {
    const { SamplePolicy } = await load('app/Policies/SamplePolicy.ts')
    Object.assign(SamplePolicy, { show: () => true, store: () => true, update: () => true })
    const { SampleRepository } = await load('app/Repositories/SampleRepository.ts')
    const told = (...names: string[]) => ({
      status: 422,
      errors: Object.fromEntries(
        names.map((column) => [column, [`The ${column} has already been taken.`]]),
      ),
    })
    const statements: string[] = []
    const stop = project.database.observe(({ sql }) => void statements.push(sql))
    const copy = { ...values, text: 'one', email: 'a@x.org', password: 'a long password' }
    await expect(SampleRepository.store(null, copy)).rejects.toMatchObject(
      told('text', 'email', 'uuid'),
    )
    stop()
    expect(statements).toHaveLength(2)

    const samples = await SampleRepository.list(null)
    const id = samples.find(
      ({ attributes }: { attributes: { text: string } }) => attributes.text === 'two',
    )?.id
    const taken = { text: 'two', email: 'a@x.org', uuid: values.uuid }
    await expect(SampleRepository.patch(null, id, taken)).rejects.toMatchObject(
      told('email', 'uuid'),
    )
    const own = { text: 'two', email: 'b@x.org' }
    expect((await SampleRepository.patch(null, id, own)).attributes).toMatchObject(own)
  })
})
