/** The clinic of docs/manifest.md and docs/policies.md. */
import { expect, onTestFinished } from 'vitest'
import { openFolder } from '../support/project.js'
import { typeCheck } from '../support/type-check.js'
import { emitPages, exchangePage, register } from './project.js'

export async function tryClinic(): Promise<void> {
  const folder = await emitPages('sqlite', 'docs/manifest.md', 'docs/policies.md')
  expect(typeCheck(folder)).toBe('')
  const clinic = await openFolder(folder, 'sqlite')
  onTestFinished(() => clinic.close())
  const ADA = await register(clinic, 'Ada')
  const BEN = await register(clinic, 'Ben')
  const CAY = await register(clinic, 'Cay')
  await clinic.insert('clinics', { name: 'Old town' })
  const sql = 'UPDATE users SET clinic_id = 1 WHERE id = 2'
  await clinic.database.query({ sql, access: 'write' }, [])
  await exchangePage(clinic, 'docs/policies.md', { ADA, BEN, CAY })

  const users = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await clinic.request('GET', '/api/svc/users?sort=id', { headers })).body.meta.total
  }
  // Ada's visit is paid by now, so that the staff see her no more.
  expect(await Promise.all([ADA, BEN, CAY].map(users))).toEqual([1, 1, 1])
  const visit = { reason: 'Once more', day: '2026-12-02', clinic_id: 1, patient_id: 1 }
  await clinic.insert('visits', { ...visit, state: 'asked' })
  expect(await Promise.all([ADA, BEN, CAY].map(users))).toEqual([1, 2, 1])
}
