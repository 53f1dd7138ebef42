import type { ts as TypeScript } from 'ts-morph'

/** TypeScript's own parser, which takes a while to load. */
export async function compiler(): Promise<typeof TypeScript> {
  return (await import('../libraries/ts-morph.cjs')).ts
}
