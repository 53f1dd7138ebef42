import { Worker } from 'node:worker_threads'
import type { Project } from '../project.js'
import { openapiDocument } from './document.js'

/** What the thread is given; what it says is the document. */
export type Given = Pick<Project, 'blueprint' | 'name' | 'svckit' | 'openapi'>

/** From so many repositories on, a thread that starts in 0.1 s is worth it. */
const many = 200

/** The document of a large project is written while svc writes the other files. */
export async function writtenDocument(project: Project): Promise<string> {
  if (project.entities.length < many) return openapiDocument(project)
  const { blueprint, name, svckit, openapi } = project
  return inThread({ blueprint, name, svckit, ...(openapi === undefined ? {} : { openapi }) })
}

function inThread(workerData: Given): Promise<string> {
  // A thread runs JavaScript, so svc from its sources, as in its tests, starts the built one.
  const isBuilt = import.meta.url.endsWith('.js')
  const file = isBuilt ? './document-worker.js' : '../../../dist/svc/document-worker.js'
  const worker = new Worker(new URL(file, import.meta.url), { workerData })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
