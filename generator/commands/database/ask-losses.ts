import { confirm, isCancel } from '@clack/prompts'

/** On a terminal, below what would be lost. Ctrl-C is a no, and ends what asks. */
export async function askLosses(): Promise<boolean> {
  const answer = await confirm({ message: 'Lose it now?', initialValue: false })
  if (!isCancel(answer)) return answer
  process.kill(process.pid, 'SIGINT')
  return false
}
