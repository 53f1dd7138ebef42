import { randomUUID } from 'node:crypto'
/** An emitted project with signing in, and what its tests do with it. */
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  load as loadFrom,
  openProject,
  type Answer,
  type DatabaseName,
  type Project,
} from '../../support/project.js'

export interface AuthProject extends Project {
  /** POST without a token. */
  send(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** With a bearer token. */
  as(token: string, method: string, path: string, body?: unknown): Promise<Answer>
  /** Registers a user and gives the answer. */
  register(email: string, more?: Record<string, unknown>): Promise<Answer>
  /** Waits for everything that happens after answers, and gives what was mailed so far. */
  mails(): Promise<string>
  /** `{ token, email }` of the newest reset link. */
  resetLink(): Promise<{ token: string; email: string }>
  sql(text: string, values?: (string | number | null)[]): Promise<readonly (readonly unknown[])[]>
  /**
   * Writes now, and commits once the next statement that starts so is answered: what happens between
   * a check and its write. Resolves when it has written; the commit is the promise inside.
   */
  meanwhile(
    start: string,
    text: string,
    values: (string | number)[],
  ): Promise<{ commit: Promise<void> }>
  load<Module>(path: string): Promise<Module>
}

export const password = 'correct horse battery'

/** Users who remember that their address was verified. */
export const withVerification = (users: string) =>
  users
    .replace('boolean, email', 'boolean, dateTime, email')
    .replace(
      'password: password(),',
      'password: password(),\n    email_verified_at: dateTime().nullable().readonly(),',
    )

interface Options {
  readonly env?: Readonly<Record<string, string>>
  /** Edits `manifest/users.ts`, the policy of users and, once it is written, `config/svc.ts`. */
  readonly manifest?: (text: string) => string
  readonly posts?: (text: string) => string
  readonly roles?: (text: string) => string
  readonly policy?: (text: string) => string
  readonly config?: (text: string) => string
}

const controlled = ['THROTTLE_LIMIT', 'THROTTLE_STORE', 'TRUSTED_PROXIES', 'APP_KEY', 'MAIL_LOG']

export async function openAuth(
  name: DatabaseName,
  { env = {}, manifest, posts, roles, policy, config }: Options = {},
): Promise<AuthProject> {
  const mailLog = join(tmpdir(), `svc-mail-${randomUUID()}.log`)
  for (const variable of controlled) delete process.env[variable]
  Object.assign(process.env, { THROTTLE_LIMIT: '100000', MAIL_LOG: mailLog, ...env })
  const edits = {
    'manifest/users.ts': manifest,
    'manifest/posts.ts': posts,
    'manifest/roles.ts': roles,
    'app/Policies/UserPolicy.ts': policy,
    'config/svc.ts': config,
  }
  const project = await openProject('blog', name, edits)
  return withAuth(project, mailLog)
}

const json = { 'content-type': 'application/json' }

function withAuth(project: Project, mailLog: string): AuthProject {
  const load = <Module>(path: string): Promise<Module> => loadFrom(project.folder, path)

  const send: AuthProject['send'] = (path, body, headers = {}) =>
    project.request('POST', path, { body: JSON.stringify(body), headers: { ...json, ...headers } })

  const mails = async () => {
    const { auth } = await load<{ auth: { settled(): Promise<void> } }>('app/auth.ts')
    await auth.settled()
    return existsSync(mailLog) ? readFileSync(mailLog, 'utf8') : ''
  }

  const answered = (start: string) =>
    new Promise<void>((resolve) => {
      const stop = project.database.observe(({ sql }) => {
        if (!sql.startsWith(start)) return
        return () => {
          stop()
          resolve()
        }
      })
    })

  const statement = (text: string) => {
    let at = 0
    const sql = project.name === 'sqlite' ? text : text.replaceAll('?', () => `$${++at}`)
    return { sql, name: `t_${randomUUID().slice(0, 8)}`, access: 'write' } as const
  }

  return {
    ...project,
    load,
    send,
    meanwhile: async (start, text, values) => {
      const seen = answered(start)
      let written = () => {}
      const ready = new Promise<void>((resolve) => (written = resolve))
      const commit = project.database.transaction(async (connection) => {
        await connection.query(statement(text), values)
        written()
        await seen
      })
      await ready
      return { commit }
    },
    as: (token, method, path, body) =>
      project.request(method, path, {
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: { ...json, authorization: `Bearer ${token}` },
      }),
    register: (email, more = {}) =>
      send('/api/register', {
        name: 'Ann',
        email,
        password,
        password_confirmation: password,
        ...more,
      }),
    mails,
    resetLink: async () => {
      const links = [...(await mails()).matchAll(/token=(\w+)&email=(\S+)/g)]
      const [, token = '', email = ''] = links.at(-1) ?? []
      return { token, email: decodeURIComponent(email) }
    },
    sql: (text, values = []) => project.database.query(statement(text), values),
  }
}
