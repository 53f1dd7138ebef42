import { at, type Target } from '../write/target.js'

/** Makes `prisma/client` anew when the schema changed, and takes it away with the schema. It is nobody's text, so never part of a plan. */
export async function refreshClient(target: Target): Promise<void> {
  // Measurements and containers that run `prisma generate` themselves leave it out.
  if ((process.env['SVC_SKIP_PRISMA_CLIENT'] ?? '') !== '') return
  // Loads Prisma only when there is something to make.
  const { generatePrismaClient } = await import('../write/prisma-client.js')
  if ((await generatePrismaClient(target.root)) !== 'nothing') return
  target.files.removeTree(at(target, 'prisma/client'))
  target.files.removeFolder(at(target, 'prisma'))
}
