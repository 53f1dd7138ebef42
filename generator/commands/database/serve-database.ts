import { join } from 'node:path'
import { scansIn } from '../inspect/production/plans.js'
import { tableFacts } from '../inspect/production/table-facts.js'
import type { Message } from '../project-process.js'
import { applyMove, bringUp, costsOf, deploy, DraftFailure } from './drafts/draft.js'
import type { Project } from './drafts/project.js'
import { statusOf } from './drafts/status.js'
import type { Requests } from './project-database.js'

type Commands = {
  readonly [Name in keyof Requests]: (
    project: Project,
    input: Requests[Name]['input'],
  ) => Promise<Requests[Name]['answer']>
}

const log = (line: string) => send({ kind: 'line', line })

const commands: Commands = {
  status: (project) => statusOf(project),
  bringUp: (project, { acceptDataLoss }) => bringUp(project, { acceptDataLoss, log }),
  move: (project, move) => applyMove(project, move),
  costs: (project, { sql, acceptDataLoss }) => costsOf(project, sql, acceptDataLoss),
  tables: (project, names) => tableFacts(project, names),
  plans: (project, asked) => scansIn(project, asked),
  deploy: (project, { acceptDataLoss }) => deploy(project, { acceptDataLoss, log }),
}

function send(message: Message): void {
  process.send?.(message)
}

/** A failure of this database's or of this project's is a sentence; anything else is a bug. */
const isSaid = (error: unknown): error is Error =>
  error instanceof Error && (error instanceof DraftFailure || error.name === 'SetupError')

/** The project's modules that it imports. */
export type Opened = Omit<Project, 'folder' | 'derivedTables'>

/**
 * Run by `svc` in the folder of a project, as a process of its own: the drivers, the address and the migrations are the
 * project's. Answers requests until svc lets go of it.
 */
export function serveDatabase(
  open: () => Promise<Opened>,
  derivedTables: Project['derivedTables'],
): void {
  const opened = open()
  process.on('message', ({ name, input }: { name: keyof Commands; input: never }) => {
    void opened.then((project) => answer({ ...project, derivedTables }, name, input))
  })
  process.on('disconnect', () => void opened.then(({ database }) => database.close()))
}

async function answer(
  opened: Omit<Project, 'folder'>,
  name: keyof Commands,
  input: never,
): Promise<void> {
  const project = { ...opened, folder: join(process.cwd(), 'prisma/migrations') }
  try {
    send({ kind: 'answer', value: await commands[name](project, input) })
  } catch (error) {
    if (!isSaid(error)) throw error
    send({ kind: 'refused', text: error.message })
  }
}
