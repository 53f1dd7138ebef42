import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What people read of svc, by path: README.md, and the pages it leads to. */
export function pages(): ReadonlyMap<string, string> {
  const names = readdirSync(`${root}/docs`).toSorted()
  const paths = ['README.md', ...names.map((name) => `docs/${name}`)]
  return new Map(paths.map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]))
}

/** All of it as one text. */
export const allPages = (): string => [...pages().values()].join('\n')
