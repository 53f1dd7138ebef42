/** A file of the Prisma schema: its path is what problems are reported under. */
export interface SchemaFile {
  readonly path: string
  readonly content: string
}
