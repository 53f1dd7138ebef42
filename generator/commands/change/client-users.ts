import { specifiersIn } from '../../source/specifiers.js'

/** Written by svc, and reached by the server only through code of the developer's. */
const aside = /^(app\/prisma\.ts$|prisma\/|tests\/)/

const isClient = (specifier: string) =>
  /(^|\/)prisma(\.[jt]s)?$/.test(specifier) || specifier.includes('prisma/client')

/** True when a server with this code may load Prisma's client: svc's own never does. */
export function usesClient(code: ReadonlyMap<string, string>): boolean {
  return [...code].some(([path, text]) => !aside.test(path) && importsClient(text))
}

export const importsClient = (text: string) =>
  text.includes('prisma') && specifiersIn(text).some(isClient)
