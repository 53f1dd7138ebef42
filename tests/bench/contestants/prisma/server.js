import { openPrisma, postsWithComments, visible } from '../shared/prisma.js'
import { serveBlog } from '../shared/serve.js'

const prisma = await openPrisma()
const orderBy = { id: 'desc' }

serveBlog({
  token: (id) =>
    prisma.personalAccessToken.findUnique({
      where: { id },
      select: { token: true, expires_at: true, user_id: true },
    }),
  post: (id, user) => prisma.post.findFirst({ where: { id, ...visible(user) } }),
  page: (user, take, skip) => prisma.post.findMany({ where: visible(user), orderBy, take, skip }),
  count: (user) => prisma.post.count({ where: visible(user) }),
  insert: (data) => prisma.post.create({ data }),
  countUsers: () => prisma.user.count(),
  usersWithPosts: (user, take, skip) =>
    prisma.user.findMany({ orderBy, take, skip, include: postsWithComments(user) }),
  usersByIds: (ids) =>
    prisma.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } }),
})
