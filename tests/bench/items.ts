import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** So many repositories, each with six fields, that belong to their neighbours. */
export async function writeManifest(folder: string, size: number, more = ''): Promise<void> {
  await mkdir(join(folder, 'manifest'))
  const numbers = Array.from({ length: size }, (_, index) => index + 1)
  for (const n of numbers) {
    await writeFile(join(folder, `manifest/item${n}.ts`), repositoryText(n, size, 160))
  }
  const imports = numbers.map((n) => `import { item${n}s } from './item${n}.js'`).join('\n')
  const names = numbers.map((n) => `item${n}s`).join(', ')
  await writeFile(
    join(folder, 'manifest/index.ts'),
    `import { defineManifest } from 'svckit'\n${imports}\n\nexport default defineManifest({ database: 'sqlite', ${more} repositories: { ${names} } })\n`,
  )
}

export function repositoryText(n: number, size: number, max: number, more = ''): string {
  const next = (n % size) + 1
  return `import { belongsTo, boolean, dateTime, decimal, integer, repository, text, textarea } from 'svckit'

export const item${n}s = repository({
  title: 'name',
  searchable: ['name'],
  match: { is_active: 'boolean' },
  sort: ['id', 'name'],
  fields: {
    name: text().max(${max}),
    notes: textarea().nullable(),
    amount: integer(),
    price: decimal(10, 2),
    is_active: boolean().default(true),
    seen_at: dateTime().nullable(), ${more}
  },
  related: {
    neighbour: belongsTo('item${next}s').nullable(),
  },
})
`
}
