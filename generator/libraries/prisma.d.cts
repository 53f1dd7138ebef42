export { getConfig, getDMMF } from '@prisma/internals'
export { PrismaClientTsGenerator } from '@prisma/client-generator-ts'
export const enginesVersion: string
