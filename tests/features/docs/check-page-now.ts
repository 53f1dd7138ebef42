/** For `npm run typecheck`. */
import { checkPage } from './check-page.js'

const problems = checkPage()
process.stderr.write(problems)
process.exitCode = problems === '' ? 0 : 1
