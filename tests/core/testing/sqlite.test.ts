/** Where the tests of a project on SQLite have their databases. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeDatabase } from '../../../runtime/testing/sqlite.js'

function folderOfDatabase(): string {
  const { url, remove } = makeDatabase('svc-notes')
  const folder = dirname(url.replace('file:', ''))
  expect(existsSync(folder)).toBe(true)
  remove()
  expect(existsSync(folder)).toBe(false)
  return dirname(folder)
}

const memory = '/dev/shm'

function hasMemory(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= 1024 ** 3
}

test.runIf(hasMemory())('they are in memory, where no write waits for a disk', () => {
  vi.stubEnv('TMPDIR', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(folderOfDatabase()).toBe(memory)
})

test('they are in the folder that somebody names', () => {
  const named = mkdtempSync(join(tmpdir(), 'svc-named-'))
  onTestFinished(() => rmSync(named, { recursive: true }))
  vi.stubEnv('TMPDIR', named)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(folderOfDatabase()).toBe(named)
})

/** Makes a folder with a file, neither of which was written for two hours. */
function abandon(folder: string): void {
  mkdirSync(folder)
  const file = join(folder, 'test.sqlite')
  writeFileSync(file, '')
  const before = new Date(Date.now() - 2 * 3_600_000)
  utimesSync(file, before, before)
  utimesSync(folder, before, before)
}

test('a run in another container keeps its files while it writes, whatever its process is called here', () => {
  const named = mkdtempSync(join(tmpdir(), 'svc-left-'))
  onTestFinished(() => rmSync(named, { recursive: true }))
  vi.stubEnv('TMPDIR', named)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { pid } = spawnSync(process.execPath, ['--version'])
  const folder = join(named, `svc-notes-${pid}-abcdef`)
  abandon(folder)
  const now = new Date()
  utimesSync(join(folder, 'test.sqlite'), now, now)
  makeDatabase('svc-notes').remove()
  expect(existsSync(folder)).toBe(true)
})

test('the next run removes what a run left that was killed, and nothing else', () => {
  const named = mkdtempSync(join(tmpdir(), 'svc-left-'))
  onTestFinished(() => rmSync(named, { recursive: true }))
  vi.stubEnv('TMPDIR', named)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { pid } = spawnSync(process.execPath, ['--version'])
  const [ended, running, other] = [
    `svc-notes-${pid}-abcdef`,
    `svc-notes-${process.pid}-abcdef`,
    `svc-notes-more-${pid}-abcdef`,
  ]
  for (const name of [ended, running, other]) abandon(join(named, name))
  makeDatabase('svc-notes').remove()
  expect(readdirSync(named).toSorted()).toEqual([running, other].toSorted())
})
