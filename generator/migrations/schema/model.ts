/** A Prisma model as data; `print.ts` lays it out. */
export interface PrismaModel {
  readonly name: string
  /** Columns, in the order of the table. */
  readonly fields: readonly PrismaField[]
  /** Fields of the Prisma client only: both ends of each foreign key. */
  readonly relations: readonly PrismaField[]
  /** `@@id`, `@@index`, `@@map`. */
  readonly attributes: readonly string[]
}

export interface PrismaField {
  readonly name: string
  readonly type: string
  readonly attributes: readonly string[]
  readonly description?: string | undefined
  /** A comment behind it. */
  readonly mark?: string | undefined
}
