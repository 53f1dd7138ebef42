/** Prisma's client of the current folder, on the database of DATABASE_URL. */
import { createRequire } from 'node:module'
import { join } from 'node:path'

export async function openPrisma() {
  const url = process.env.DATABASE_URL
  const database = url.startsWith('file:') ? 'sqlite' : 'postgresql'
  const { PrismaClient } = createRequire(join(process.cwd(), 'package.json'))(
    `./${database}/client`,
  )
  return new PrismaClient({ adapter: await openAdapter(url) })
}

async function openAdapter(url) {
  if (url.startsWith('file:')) {
    const { PrismaBetterSqlite3 } = await import('@prisma/adapter-better-sqlite3')
    return new PrismaBetterSqlite3({ url })
  }
  const { PrismaPg } = await import('@prisma/adapter-pg')
  return new PrismaPg({ connectionString: url, max: 10 })
}

export const visible = (user) => ({ OR: [{ published_at: { not: null } }, { owner_id: user }] })

/** 15 posts of each user, 100 comments of each post. */
export const postsWithComments = (user) => ({
  posts: {
    where: visible(user),
    orderBy: { id: 'desc' },
    take: 15,
    include: { comments: { orderBy: { id: 'desc' }, take: 100 } },
  },
})
