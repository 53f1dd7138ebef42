import { Command, Option } from 'clipanion'
import { SvcCommand } from '../../commands/command.js'

export class WhyCommand extends SvcCommand {
  static override paths = [['why'], ['svc:why']]

  static override usage = Command.Usage({
    description: 'why somebody may do something with a record, or not: the policy, leaf by leaf',
    details: `
      The condition of the policy as a tree: what is asked, what the record has, and yes, no or unknown (NULL). What decided is
      marked. Through relations: how many records there are, and the first that decided. Nothing is written.

      Operations are \`show\` (unless another is named), \`store\`, \`update\`, \`delete\`, \`attachUsers\` and the like, and others that
      the repository has, like \`restore\`. A record to be stored is \`new\`. Who asks is named by id or e-mail; \`guest\` is nobody.
      With \`--body\`, the record as the write would leave it is asked about, too. A request in quotes is asked about as a whole:
      which part of it empties a list.

      Exits with 0 for yes, 1 for no, 2 where that cannot be asked.
    `,
    examples: [
      ['A record', 'svc why posts 7 ada@example.com update'],
      ['A field of it', 'svc why posts 7 guest --field notes'],
      ['A request', "svc why 'GET /api/svc/posts?search=lamp' ada@example.com"],
    ],
  })

  about = Option.String({ required: true, name: 'repository' })
  words = Option.Rest({ name: 'id user operation' })

  body = Option.String('--body', { description: 'What is sent, as JSON' })
  field = Option.String('--field', { description: 'A field whose gate is asked' })
  json = Option.Boolean('--json', false, { description: 'As JSON' })

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
    description: 'who may do something with a record, by the part of the policy that decided',
    details: `
      Every user is asked, guests first: how many may, of how many, and by which leaf of the policy. \`show\` is asked about, unless
      \`update\`, \`delete\` or \`restore\` is named. A bar on a terminal says how far it is, and Ctrl-C ends it with what is known. Nothing is written.

      Exits with 0 where some user is listed, 1 where none is, 2 where that cannot be asked.
    `,
    examples: [
      ['Who sees a record', 'svc who posts 7'],
      ['Who of a role may not change it', 'svc who posts 7 update --role editor --not'],
    ],
  })

  repository = Option.String({ required: true })
  id = Option.String({ required: true })
  operation = Option.String({ required: false })

  role = Option.String('--role', { description: 'Only users whose role this is' })
  isNot = Option.Boolean('--not', false, { description: 'Who may not' })
  isAll = Option.Boolean('--all', false, {
    description: 'Each user by name, and not the first five of a group',
  })
  json = Option.Boolean('--json', false, { description: 'As JSON' })

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
    description: 'what a change of policies opens and closes: rows gained and lost, per user',
    details: `
      Compares the policies of a Git ref (\`HEAD\` unless another is named) with those of the working tree, on the rows of the database
      that \`DATABASE_URL\` names: a copy of production, say. Nothing is checked out, and nothing is written. Rows are those that
      a user may show, update or delete, and those that a changed one may look like (\`updateTo\`); what may be stored, gates of fields, and
      \`attachTags\` and the like of the first records of either side are compared too.

      Users are a guest and, for each role of tests/roles.ts, the first user with its columns (else the first of each \`role\`, or the first
      four), or those of \`--users\`: ids, e-mails, and \`role=staff\` for all that are so (twenty at most). With \`--check\` it exits with 1 where somebody gains what no \`--allow orders.update\` names; with 2 where not all could be compared.
    `,
    examples: [
      ['What is not committed', 'svc policies diff'],
      ['A pull request', 'svc policies diff main --check --allow orders.update --markdown'],
    ],
  })

  ref = Option.String({ required: false })

  users = Option.String('--users', {
    description: 'Ids, e-mails and role=staff, with commas between',
  })
  isChecking = Option.Boolean('--check', false, { description: 'Fail where somebody gains' })
  allow = Option.Array('--allow', [], {
    description: 'A repository and an operation that may be opened',
  })
  markdown = Option.Boolean('--markdown', false, { description: 'As a table for a review' })
  json = Option.Boolean('--json', false, { description: 'As JSON' })

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
    description:
      'whether the tests notice weaker policies: holes in tests, with the tests that close them',
    details: `
      Weakens the policies in memory, one place at a time: a leaf dropped or negated, \`any\` for \`all\`, a rule that answers true, a gate
      that is open, a \`?? undefined\` taken away. tests/authorization.md and your own tests run against each. What nobody notices
      is named, with the smallest request that tells the difference. Tests that notice it are printed as a file to paste;
      \`--write\` writes it. No file of yours is changed.

      What no request can tell apart is recognised: \`--verbose\` lists it. What is known is kept until a file changes, so a
      run that was ended (Ctrl-C, \`--minutes\`) goes on.

      Exits with 0 where every weakening is noticed, 1 where some are not, 2 where it cannot be tried, or was not in time.
    `,
    examples: [
      ['Everything', 'svc policies test'],
      ['A pull request', 'svc policies test --since main'],
      ['And write the tests', 'svc policies test --write'],
    ],
  })

  since = Option.String('--since', { description: 'Only what is other than at this Git ref' })
  minutes = Option.String('--minutes', '10', { description: 'After that nothing more is begun' })
  workers = Option.String('--workers', {
    description: 'Processes at a time: as many as cores, unless you say',
  })
  write = Option.Boolean('--write', false, {
    description: 'Write tests that notice it into a new file',
  })
  json = Option.Boolean('--json', false, { description: 'As JSON' })
  verbose = Option.Boolean('--verbose', false, {
    description: 'What makes no difference, too',
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
