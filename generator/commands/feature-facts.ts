import type { Blueprint, Problem } from '../blueprint/types.js'
import type { FeatureFacts } from '../plan/project.js'
import type { ConfigOverrides } from '../write/feature.js'
import type { Target } from '../write/target.js'
import type { Features } from './context.js'

interface Configs {
  readonly facts: FeatureFacts
  readonly problems: readonly Problem[]
  /** Features whose config cannot be read. */
  readonly unread: readonly string[]
}

/** Reads the features' parts of the files of config/, and their problems. */
export async function readConfigs(
  root: string,
  features: Features,
  blueprint: Blueprint,
  instead: ConfigOverrides = {},
): Promise<Configs> {
  let all: Configs = { facts: {}, problems: [], unread: [] }
  for (const { name, reader } of features) {
    const read = await reader?.readConfig?.(root, blueprint, instead)
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
  features: Features,
  blueprint: Blueprint,
  configs: FeatureFacts,
): Promise<FeatureFacts> {
  let facts = configs
  for (const { reader } of features) {
    facts = { ...facts, ...(await reader?.readCode?.(target, blueprint, facts)) }
  }
  return facts
}
