import { Command, Option } from 'clipanion'
import { SvcCommand } from '../../commands/command.js'

export class WhyCommand extends SvcCommand {
  static override paths = [['why'], ['svc:why']]

  static override usage = Command.Usage({
    category: 'Inspect',
    description: 'Explain why a user may do something with a record, or not',
    details: `
      Prints the condition of the policy as a tree. Each leaf shows what it compares, what the record holds, and its answer:
      yes, no or unknown (NULL). The leaf that decided is marked. For a relation you see how many records there are, and the
      first one that decided. The command writes nothing.

      Pass a user id, an e-mail, or \`guest\` for an anonymous user. The operation is \`show\` by default; others are \`store\`,
      \`update\`, \`delete\`, the pivot operations (\`attachUsers\`), and what else the repository has, like \`restore\`. Use
      \`new\` as the id to check creating a record. With \`--body\`, svc also checks the record as the write would leave it.

      Pass a request in quotes to find out which part of it empties a list.

      Exits with 0 for yes, 1 for no, and 2 if there is no answer.
    `,
    examples: [
      ['Explain a record', 'svc why posts 7 ada@example.com update'],
      ['Explain one field of it', 'svc why posts 7 guest --field notes'],
      ['Explain a request', "svc why 'GET /api/svc/posts?search=lamp' ada@example.com"],
    ],
  })

  about = Option.String({ required: true, name: 'repository' })
  words = Option.Rest({ name: 'id user operation' })

  body = Option.String('--body', { description: 'The body of the request, as JSON' })
  field = Option.String('--field', { description: 'Explain the gate of this field' })
  json = Option.Boolean('--json', false, { description: 'Print JSON' })

  override async execute(): Promise<number> {
    const { askWhy } = await import('./commands/ask-why.js')
    const { about, words, body, field, isColored } = this
    const asked = { about, words, body: body ?? null, field: field ?? null }
    const { lines, json, exitCode } = await askWhy(this.context.cwd, asked, isColored)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}

export class WhoCommand extends SvcCommand {
  static override paths = [['who'], ['svc:who']]

  static override usage = Command.Usage({
    category: 'Inspect',
    description: 'List the users who may do something with a record',
    details: `
      Checks an anonymous user and then every user. You see how many of them may do it, grouped by the leaf of the policy that
      decided. The operation is \`show\` by default; others are \`update\`, \`delete\` and \`restore\`. On a terminal, a bar shows
      the progress; Ctrl-C ends the command, and it prints what it knows. The command writes nothing.

      Exits with 0 if it lists a user, 1 if it lists nobody, and 2 if there is no answer.
    `,
    examples: [
      ['Who sees a record?', 'svc who posts 7'],
      ['Which editors may not change it?', 'svc who posts 7 update --role editor --not'],
    ],
  })

  repository = Option.String({ required: true })
  id = Option.String({ required: true })
  operation = Option.String({ required: false })

  role = Option.String('--role', { description: 'Only users with this role' })
  isNot = Option.Boolean('--not', false, { description: 'List the users who may not' })
  isAll = Option.Boolean('--all', false, {
    description: 'List all users by name, and not the first five of each group',
  })
  json = Option.Boolean('--json', false, { description: 'Print JSON' })

  override async execute(): Promise<number> {
    const { askWho } = await import('./commands/ask-who.js')
    const { repository, id, operation = 'show', role = null, isNot, isAll, isColored } = this
    const asked = { repository, id, operation, role, isNot, isAll, isColored }
    const { lines, json, exitCode } = await askWho(this.context.cwd, asked, this.context.stderr)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}

export class PoliciesDiffCommand extends SvcCommand {
  static override paths = [
    ['policies', 'diff'],
    ['svc:policies', 'diff'],
  ]

  static override usage = Command.Usage({
    category: 'Inspect',
    description: 'Show which rows users gain and lose by a change of policies',
    details: `
      Compares the policies of a Git ref (\`HEAD\` by default) with those of your working tree, on the rows of the database in
      \`DATABASE_URL\`, which may be a copy of production. svc checks nothing out and writes nothing. It compares the rows that
      each user may show, update or delete, what an updated row may look like (\`updateTo\`), what may be stored, the gates of
      fields, and pivot rules (\`attachTags\`) for the first records of both sides.

      By default svc compares for an anonymous user and one user per role of \`tests/roles.ts\`: the first with the same
      columns. If no user is like that, it takes the first user of each \`role\`, or the first four. Choose others with
      \`--users\`: ids, e-mails, or \`role=staff\` for all users of a role, at most twenty.

      With \`--check\`, svc exits with 1 if a user gains something that no \`--allow orders.update\` names, and with 2 if it
      could not compare everything.
    `,
    examples: [
      ['Compare with the last commit', 'svc policies diff'],
      ['Check a pull request', 'svc policies diff main --check --allow orders.update --markdown'],
    ],
  })

  ref = Option.String({ required: false })

  users = Option.String('--users', {
    description: 'Ids, e-mails, or role=staff, separated by commas',
  })
  isChecking = Option.Boolean('--check', false, {
    description: 'Exit with 1 if somebody gains access',
  })
  allow = Option.Array('--allow', [], {
    description: 'A repository and an operation that may gain access',
  })
  markdown = Option.Boolean('--markdown', false, { description: 'Print a table for a review' })
  json = Option.Boolean('--json', false, { description: 'Print JSON' })

  override async execute(): Promise<number> {
    const { diffPolicies } = await import('./commands/diff-policies.js')
    const { ref = 'HEAD', isChecking, allow, markdown: isMarkdown, isColored } = this
    const users = (this.users ?? '').split(',').flatMap((name) => name.trim() || [])
    const asked = { ref, users, isChecking, allow, isMarkdown, isColored }
    const { lines, json, exitCode } = await diffPolicies(this.context.cwd, asked)
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}

export class PoliciesTestCommand extends SvcCommand {
  static override paths = [
    ['policies', 'test'],
    ['svc:policies', 'test'],
  ]

  static override usage = Command.Usage({
    category: 'Inspect',
    description: 'Break policies on purpose, to see whether a test notices',
    details: `
      This is mutation testing. svc changes the policies in memory, one place at a time: it drops or negates a leaf, puts
      \`any\` in place of \`all\`, lets a rule answer true, opens a gate, or removes a \`?? undefined\`. It runs
      \`tests/authorization.md\` and your own tests against each mutant. If no test fails, the mutant survived: svc prints its
      place, the smallest request that shows the difference, and tests that kill it, as a file to paste. \`--write\` writes
      that file. svc changes no file of yours.

      \`--verbose\` also lists mutants that no request can tell apart from the policy. svc keeps results until a file
      changes, so a run that you ended (Ctrl-C, \`--minutes\`) continues where it stopped.

      Exits with 0 if every mutant is killed, 1 if one survives, and 2 if svc cannot run, or ran out of time.
    `,
    examples: [
      ['Test all policies', 'svc policies test'],
      ['Check a pull request', 'svc policies test --since main'],
      ['Write the missing tests', 'svc policies test --write'],
    ],
  })

  since = Option.String('--since', { description: 'Only rules that changed since this Git ref' })
  minutes = Option.String('--minutes', '10', { description: 'Start nothing new after this time' })
  workers = Option.String('--workers', {
    description: 'Processes at a time (default: one per core)',
  })
  write = Option.Boolean('--write', false, {
    description: 'Write the missing tests into a new file',
  })
  json = Option.Boolean('--json', false, { description: 'Print JSON' })
  verbose = Option.Boolean('--verbose', false, {
    description: 'Also list mutants that make no difference',
  })

  override async execute(): Promise<number> {
    const { testPolicies } = await import('./commands/test-policies.js')
    const { since = null, minutes, workers = null, verbose: isVerbose, write: isWriting } = this
    const asked = { since, minutes, workers, isVerbose, isWriting }
    const { lines, json, exitCode } = await testPolicies(
      this.context.cwd,
      asked,
      this.context.stderr,
    )
    this.say(...(this.json ? [JSON.stringify(json, null, 2)] : lines))
    return exitCode
  }
}
