import { parentPort, workerData } from 'node:worker_threads'
import { describeProject } from '../../plan/describe-project.js'
import { features } from '../index.js'
import { apiOf } from './api.js'
import type { Given } from './document-thread.js'
import { writeDocument } from './document.js'

// Made by `writtenDocument` and by nothing else.
const { blueprint, ...options } = workerData as Given
parentPort?.postMessage(writeDocument(await apiOf(describeProject(blueprint, features, options))))
