import type { Blueprint } from '../blueprint/types.js'
import { prismaSchema } from '../migrations/schema/schema.js'
import { packageFile } from '../source/package-files.js'
import { seedText } from './seed.js'
import type { Rendered } from './status.js'

/** The default address of a database: the file of `app/env.ts`; a server has no such default. */
const defaultUrl = { sqlite: 'file:storage/database.sqlite', postgresql: '' } as const

/** Files of a project that Prisma reads, and the seed; migrations are planned apart, by what is saved already. */
export function prismaFiles(blueprint: Blueprint): readonly Rendered[] {
  const config = shipped('prisma.config.ts').replace('{{url}}', defaultUrl[blueprint.database])
  return [
    { path: 'prisma.config.ts', content: config, owner: 'shared' },
    { path: 'prisma/schema/svc.prisma', content: prismaSchema(blueprint), owner: 'svc' },
    { path: 'prisma/schema/own.prisma', content: shipped('own.prisma'), owner: 'you' },
    { path: 'prisma/seed.ts', content: seedText(blueprint), owner: 'you' },
  ]
}

const shipped = (name: string) => packageFile(`prisma/${name}`)
