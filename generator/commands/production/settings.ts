import type { Blueprint } from '../../blueprint/types.js'
import { readConfig } from '../../load/code-names.js'
import type { Advice } from '../../plan/advice.js'

export interface Found {
  readonly wrong: readonly Advice[]
  readonly advice: readonly Advice[]
}

type Variables = Readonly<Record<string, string | undefined>>

interface Setting {
  readonly rule: string
  readonly name: string
  readonly isFound: (value: string | undefined, blueprint: Blueprint) => boolean
  readonly message: string
  readonly fix: string
}

const isSet = (value: string | undefined) => value !== undefined && value !== ''

/** Variables with which a server starts, and should not. What is missing, the server itself says. */
const wrongOnes: readonly Setting[] = [
  {
    rule: 'log',
    name: 'LOG_LEVEL',
    isFound: (value) => value === 'silent' || value === 'fatal',
    message: 'says that no failure is logged',
    fix: 'info, or error',
  },
  {
    rule: 'mail',
    name: 'MAIL_MAILER',
    isFound: (value, { auth }) => auth !== null && value === 'log',
    message: 'is log: nobody gets a mail, and whoever reads the log can set passwords',
    fix: 'resend or smtp',
  },
  {
    rule: 'throttle',
    name: 'THROTTLE_LIMIT',
    isFound: (value, { auth }) => auth !== null && Number(value) > 100,
    message: 'replaces every limit of config/svc.ts, and lets passwords be guessed',
    fix: 'leave it out',
  },
]

const costlyOnes: readonly Setting[] = [
  {
    rule: 'throttle-store',
    name: 'THROTTLE_STORE',
    isFound: (value, { auth, database }) =>
      auth !== null && database === 'postgresql' && value === 'memory',
    message: 'is memory: several processes let several times as many attempts pass',
    fix: 'database, unless there is one process',
  },
  {
    rule: 'metrics',
    name: 'METRICS_TOKEN',
    isFound: (value, { metrics }) => metrics === true && !isSet(value),
    message: 'is not set: /metrics is read by this machine alone',
    fix: 'openssl rand -hex 32, and the same in the settings of Prometheus',
  },
  {
    rule: 'replicas',
    name: 'DATABASE_REPLICA_URLS',
    isFound: (value, { readReplicas }) => readReplicas === true && !isSet(value),
    message: 'is not set: everything is read in the primary',
    fix: 'name replicas, or leave readReplicas out of the manifest',
  },
]

/** What the environment and `config/svc.ts` say that hurts. */
export async function settingsAdvice(
  blueprint: Blueprint,
  env: Variables,
  configText: string | null,
): Promise<Found> {
  const found = (settings: readonly Setting[]) =>
    settings
      .filter(({ name, isFound }) => isFound(env[name], blueprint))
      .map(({ rule, name, message, fix }) => ({ rule, at: name, message, fix }))
  return {
    wrong: found(wrongOnes),
    advice: [...found(costlyOnes), ...(await configAdvice(configText))],
  }
}

async function configAdvice(text: string | null): Promise<readonly Advice[]> {
  if (text === null) return []
  const { config, docs } = await readConfig(text)
  const origins = dataIn(dataIn(config)['cors'])['origins']
  const at = 'config/svc.ts'
  const isOpen = !Array.isArray(origins) || origins.includes('*')
  const cors = { rule: 'cors', at, message: "cors.origins is '*': pages of any site may call" }
  const page = { rule: 'docs', at, message: 'docs.page is always: everybody reads /docs' }
  return [
    ...(isOpen ? [{ ...cors, fix: "name your front ends: ['https://app.example.com']" }] : []),
    ...(dataIn(docs)['page'] === 'always'
      ? [{ ...page, fix: "'development', unless the API is a public one" }]
      : []),
  ]
}

const dataIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
