import type { Blueprint, Problem } from '../blueprint/types.js'
import type { ConfigOverrides } from '../features/reader.js'
import { readers } from '../features/readers.js'
import type { FeatureFacts } from '../plan/project.js'
import type { Target } from '../write/target.js'

interface Configs {
  readonly facts: FeatureFacts
  readonly problems: readonly Problem[]
  /** Features whose config cannot be read. */
  readonly unread: readonly string[]
}

/** What the files of config/ say of features, and what is wrong with them. */
export async function readConfigs(
  root: string,
  blueprint: Blueprint,
  instead: ConfigOverrides = {},
): Promise<Configs> {
  let all: Configs = { facts: {}, problems: [], unread: [] }
  for (const { name, readConfig } of readers) {
    const read = await readConfig?.(root, blueprint, instead)
    if (read === undefined) continue
    if (!isProblem(read)) all = { ...all, facts: { ...all.facts, ...read } }
    else {
      const problems = [...all.problems, ...read.problems]
      all = { ...all, problems, unread: [...all.unread, name] }
    }
  }
  return all
}

const isProblem = (
  read: FeatureFacts | { readonly problems: readonly Problem[] },
): read is { readonly problems: readonly Problem[] } => 'problems' in read

/** All that features know of the developer's files. */
export async function readFacts(
  target: Target,
  blueprint: Blueprint,
  configs: FeatureFacts,
): Promise<FeatureFacts> {
  let facts = configs
  for (const { readCode } of readers) {
    facts = { ...facts, ...(await readCode?.(target, blueprint, facts)) }
  }
  return facts
}
