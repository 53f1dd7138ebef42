import { Worker } from 'node:worker_threads'
import type { Project } from '../../plan/project.js'
import { apiOf, type Api } from './api.js'
import { openapiDocument, writeDocument, type Document } from './document.js'
import { keptOf, madeOf, type Kept } from './last-document.js'
import { documentPath } from './operations/paths.js'

/** The input of the thread; its answer is the document. */
export type Given = Pick<
  Project,
  'blueprint' | 'name' | 'svckit' | 'facts' | 'hasStrictQueries' | 'hasStrictBodies'
>

/** From so many repositories on, a thread that starts in 0.1 s is worth it, and so is what is kept of the last document. */
const many = 200

/**
 * The document of a large project: of the last one, what is made of the same, and else written while svc writes the other
 * files.
 */
export async function writtenDocument(project: Project, least = many): Promise<string> {
  const { entities, tidied } = project
  if (entities.length < least) return openapiDocument(project)
  const last = tidied?.parts(documentPath) ?? null
  // Begins the longest part first.
  const anew = last === null ? inThread(givenOf(project)) : null
  const api = await apiOf(project)
  const made = madeOf(api)
  const again = last === null ? null : fromLast(api, keptOf(last.text, last.made, made))
  const { text, isNumbered } = again ?? (await (anew ?? inThread(givenOf(project))))
  if (!isNumbered) tidied?.noteParts(documentPath, made, text)
  return text
}

/** Writes the document where most of it is unchanged. */
function fromLast(api: Api, kept: Kept): Document | null {
  const { entities } = api.project
  if (entities.filter(kept.has).length * 2 < entities.length) return null
  const document = writeDocument(api, kept)
  return document.isNumbered ? null : document
}

function givenOf(project: Project): Given {
  const { blueprint, name, svckit, facts, hasStrictQueries, hasStrictBodies } = project
  return {
    ...{ blueprint, name, svckit, facts },
    ...(hasStrictQueries === undefined ? {} : { hasStrictQueries }),
    ...(hasStrictBodies === undefined ? {} : { hasStrictBodies }),
  }
}

function inThread(workerData: Given): Promise<Document> {
  // A thread runs JavaScript, so svc from its sources, as in its tests, starts the built one.
  const isBuilt = import.meta.url.endsWith('.js')
  const file = isBuilt ? './document-worker.js' : '../../../dist/svc/document-worker.js'
  const worker = new Worker(new URL(file, import.meta.url), { workerData })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
