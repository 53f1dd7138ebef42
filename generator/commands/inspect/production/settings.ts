import type { Blueprint } from '../../../blueprint/types.js'
import { readConfig } from '../../../load/code-names.js'
import type { Advice } from '../../../plan/advice/advice.js'
import { describeProject } from '../../../plan/describe-project.js'
import type { PlannedFeature, Setting } from '../../../plan/feature.js'

export interface Found {
  readonly wrong: readonly Advice[]
  readonly advice: readonly Advice[]
}

type Variables = Readonly<Record<string, string | undefined>>

/** Settings of every server. The server itself reports missing ones. */
const logs: Setting = {
  rule: 'log',
  isWrong: true,
  name: 'LOG_LEVEL',
  isFound: (value) => value === 'silent' || value === 'fatal',
  message: 'says that no failure is logged',
  fix: 'info, or error',
}

/** Lists the problems of the environment and of `config/svc.ts`. */
export async function settingsAdvice(
  blueprint: Blueprint,
  all: readonly PlannedFeature[],
  env: Variables,
  configText: string | null,
): Promise<Found> {
  const { features } = describeProject(blueprint, all, { name: '', svckit: '' })
  const found = [logs, ...features.flatMap(({ settings = [] }) => settings)].filter(
    ({ name, isFound }) => isFound(env[name], blueprint),
  )
  const advice = (settings: readonly Setting[]) =>
    settings.map(({ rule, name, message, fix }) => ({ rule, at: name, message, fix }))
  return {
    wrong: advice(found.filter(({ isWrong }) => isWrong === true)),
    advice: [
      ...advice(found.filter(({ isWrong }) => isWrong !== true)),
      ...(await configAdvice(configText, features)),
    ],
  }
}

async function configAdvice(
  text: string | null,
  features: readonly PlannedFeature[],
): Promise<readonly Advice[]> {
  if (text === null) return []
  const exported = await readConfig(text)
  const origins = dataIn(dataIn(exported['config'])['cors'])['origins']
  const isOpen = !Array.isArray(origins) || origins.includes('*')
  const cors = {
    rule: 'cors',
    at: 'config/svc.ts',
    message: "cors.origins is '*': pages of any site may call",
    fix: "name your front ends: ['https://app.example.com']",
  }
  return [
    ...(isOpen ? [cors] : []),
    ...features.flatMap(({ configAdvice: ofFeature }) => ofFeature?.(exported) ?? []),
  ]
}

const dataIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
