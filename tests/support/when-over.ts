import { onTestFinished, TestRunner } from 'vitest'

type Work = () => unknown

const ofFile: Work[] = []

/** Runs it when the test is over; outside of one, as before all tests, when the file is. */
export function whenOver(work: Work): void {
  if (TestRunner.getCurrentTest() === undefined) ofFile.push(work)
  else onTestFinished(async () => void (await work()))
}

export async function endFile(): Promise<void> {
  for (const work of ofFile.splice(0).toReversed()) await work()
}
