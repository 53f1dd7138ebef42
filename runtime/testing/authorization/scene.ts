import { getOwn } from '../../model/get-own.js'
import { somebody, type Send } from '../client.js'
import type { Row } from '../tested.js'
import { tested, type Project } from './project.js'
import type { Rows, Scene as OwnersScene } from './roles.js'

/** The user and the records, as owners know them, and the project. */
export interface Scene extends OwnersScene {
  readonly project: Project
}

/** The place where one role tries its requests. */
export interface Stage {
  readonly project: Project
  readonly role: string
  /** The scene as it was left, unless a request changed something: then a new one. */
  readonly scene: () => Promise<Scene>
  readonly leave: () => void
}

/** @param onLeave Called when a request has changed something. */
export function stageOf(project: Project, role: string, onLeave = () => {}): Stage {
  let current: Promise<Scene> | null = null
  const leave = () => {
    current = null
    onLeave()
  }
  const scene = () => (current ??= makeScene(project, role, leave))
  return { project, role, leave, scene }
}

async function makeScene(project: Project, role: string, onChange: () => void): Promise<Scene> {
  const user = (await getOwn(project.roles, role)?.()) ?? null
  const owner = user ?? (await somebody(project)).user
  const send = user === null ? project.sendAsNobody : await sendAs(project, user)
  const made = new Map<string, Promise<Rows>>()
  return {
    project,
    user,
    send: watched(send, onChange),
    rows: (key, which) => {
      const name = `${key} ${which ?? ''}`
      const rows = made.get(name) ?? rowsOf(project, key, owner)
      made.set(name, rows)
      return rows
    },
  }
}

async function sendAs({ signIn, sendAsNobody }: Project, user: Row): Promise<Send> {
  return signIn === undefined ? sendAsNobody : (await signIn(user)).send
}

/** Says when a request has changed something. */
function watched(send: Send, onChange: () => void): Send {
  return async (method, path, body) => {
    const response = await send(method, path, body)
    if (method !== 'GET' && path !== '/graphql' && response.ok) onChange()
    return response
  }
}

async function rowsOf(project: Project, key: string, user: Row): Promise<Rows> {
  const named = await getOwn(project.world, key)?.(user)
  if (named !== undefined) return named
  const [other, own] = await tested(project, key).rows(user)
  if (other === undefined) throw new Error(`there is no row of '${key}' to try`)
  return own === undefined ? { 'a row': other } : { own, other }
}

export function rowNamed(rows: Rows, name: string): Row {
  const row = getOwn(rows, name)
  if (row === undefined) throw new Error(`'${name}' of tests/roles.ts is not there each time`)
  return row
}
