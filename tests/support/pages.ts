import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What people read of svc, by path: README.md, and the pages it leads to. */
export function pages(): ReadonlyMap<string, string> {
  const names = readdirSync(`${root}/docs`).filter((name) => name.endsWith('.md'))
  const paths = ['README.md', ...names.toSorted().map((name) => `docs/${name}`)]
  return new Map(paths.map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]))
}

/** All of it as one text. */
export const allPages = (): string => [...pages().values()].join('\n')

/** A fenced block of a page. */
export interface Block {
  readonly page: string
  /** `README.md:12`, for messages. */
  readonly at: string
  /** `ts`, `sh`, `http` …; empty for plain text. */
  readonly language: string
  readonly text: string
  /** Where its first line names its file: `// app/team.ts`. */
  readonly path: string | null
}

/** Every block of the pages, in their order. */
export function blocks(): readonly Block[] {
  return [...pages()].flatMap(([page, text]) =>
    [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
      const [, language = '', inside = ''] = match
      const line = text.slice(0, match.index).split('\n').length
      const [, path = null] = /^\/\/ (\S+\.(?:ts|prisma))\n/.exec(inside) ?? []
      return { page, at: `${page}:${line}`, language, text: inside, path }
    }),
  )
}

/** The files that blocks of these pages show, by path; what a later one shows replaces an earlier one. */
export const filesOf = (...ofPages: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    blocks().flatMap(({ page, path, text }) =>
      path !== null && ofPages.includes(page) ? [[path, text] as const] : [],
    ),
  )
