import { spawn, type ChildProcess } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { Refusal } from '../blueprint/refusal.js'
import { packageProblem } from '../load/package-json.js'
import { WrongCode } from '../load/project-script.js'
import { isInstalled } from '../write/project/installed.js'
import { runtimeForm, runtimePackage } from '../write/project/runtime-form.js'
import { at, targetAt, type Target } from '../write/target.js'
import { ended, hasEnded } from './children.js'

export type Message =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly text: string }

interface Asked {
  readonly input: unknown
  readonly answer: unknown
}

/** Asks a process that runs the project's code, by the names of what it answers. */
export type AskOf<Requests extends { readonly [Name in keyof Requests]: Asked }> = <
  Name extends keyof Requests,
>(
  name: Name,
  input: Requests[Name]['input'],
) => Promise<Requests[Name]['answer']>

/** Why the code or the database of the project cannot be asked or changed, in its own words. */
export class ProcessRefusal extends Refusal {}

export interface ProcessOptions {
  readonly say?: (line: string) => void
  /** Variables of the process that are others than svc was started with. */
  readonly environment?: Readonly<Record<string, string>>
  /** Interrupts the process, which then answers what it knows. */
  readonly interrupt?: AbortSignal
}

/** The project, where it can run: with its packages. */
export async function runnable(root: string): Promise<Target> {
  const target = targetAt(root)
  const problem = await packageProblem(target.files.read(at(target, 'package.json')) ?? '{}')
  if (problem !== null) throw new ProcessRefusal(problem)
  const needed = runtimeForm(target) === 'own' ? ['tsx'] : ['tsx', runtimePackage]
  if (!needed.every((name) => isInstalled(target, name))) {
    throw new ProcessRefusal('Run `npm install` first.')
  }
  return target
}

/** A process in the project's folder runs a script of its code while somebody asks it. */
export async function withProcess<
  Requests extends { readonly [Name in keyof Requests]: Asked },
  Result,
>(
  root: string,
  script: () => Promise<string>,
  work: (ask: AskOf<Requests>) => Promise<Result>,
  { say = () => {}, environment = {}, interrupt }: ProcessOptions = {},
): Promise<Result> {
  const child = start(root, await scriptOf(script), environment)
  const errors = child.stderr === null ? Promise.resolve('') : text(child.stderr)
  const over = ended(child)
  interrupt?.addEventListener('abort', () => child.kill('SIGINT'))
  try {
    return await work((name, input) =>
      ask<Requests, typeof name>(child, { name, input }, errors, say),
    )
  } finally {
    if (child.connected) child.disconnect()
    await over
  }
}

async function scriptOf(script: () => Promise<string>): Promise<string> {
  try {
    return await script()
  } catch (error) {
    if (error instanceof WrongCode) throw new ProcessRefusal(error.message)
    throw error
  }
}

/** As its standard input: the packages it imports are looked for from the folder it runs in. */
function start(
  root: string,
  script: string,
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  // The project's own output is not svc's answer.
  const stdio = ['pipe', 2, 'pipe', 'ipc'] as const
  const parameters = ['--enable-source-maps', '--input-type=module', '-']
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, parameters, { cwd: root, stdio: [...stdio], env })
  child.stdin?.on('error', () => {}).end(script)
  return child
}

function ask<
  Requests extends { readonly [Name in keyof Requests]: Asked },
  Name extends keyof Requests,
>(
  child: ChildProcess,
  request: { readonly name: Name; readonly input: Requests[Name]['input'] },
  errors: Promise<string>,
  say: (line: string) => void,
): Promise<Requests[Name]['answer']> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: Message) => {
      if (message.kind === 'line') return say(message.line)
      settle()
      if (message.kind === 'refused') reject(new ProcessRefusal(message.text))
      // The process answers a request by its type.
      else resolve(message.value as Requests[Name]['answer'])
    }
    const onExit = () => {
      settle()
      void errors.then((said) => {
        reject(new ProcessRefusal(said.trim() || 'svc cannot reach the database.'))
      })
    }
    const settle = () => child.off('message', onMessage).off('exit', onExit)
    if (hasEnded(child)) return onExit()
    child.on('message', onMessage).on('exit', onExit)
    child.send(request, () => {})
  })
}
