import type { Project } from '../../plan/project.js'
import type { Slots } from '../../plan/render/slots.js'
import type { Texts, Variable } from '../../plan/texts.js'

/** The lines of signing in in files of others. */
export const signInLines = (): Partial<Slots> => ({
  imports: {
    'app/server.ts': [{ from: './auth.js', names: ['auth'] }],
    'app/settings.ts': [
      { from: '#runtime/features/sign-in/throttle.js', names: ['createThrottles'] },
      { from: './database.js', names: ['database'] },
    ],
  },
  server_close_before: ['await auth.settled()'],
  settings_exports: [throttles],
})

const throttles = `
/** The counters of signing in: its routes ask them, and every write of an e-mail. */
export const throttles = createThrottles({ throttles: config.throttles, database, env })`

/** Describes signing in for people, and for whoever runs the server. */
export const signInTexts = ({ isSqlite }: Project): Texts => ({
  variables: variables(isSqlite ? 'memory' : 'database').map((each) => ({
    ...each,
    place: 'apart',
  })),
  routes: routes.map((row) => ({ ...row, isLast: true })),
})

const routes = [
  {
    route: '`POST /api/register`, `/api/login`',
    what: 'the user, with the token to send as `Authorization: Bearer` in `meta.token`',
  },
  {
    route: '`POST /api/svc/forgotPassword`, `/api/svc/resetPassword`',
    what: 'mails a link; sets a new password with its `token` and `email`',
  },
  {
    route: '`POST /api/svc/verify/<id>/<emailHash>`',
    what: 'verifies an address, with a link from a mail; `POST /api/svc/verify` mails it again',
  },
  {
    route:
      '`/api/svc/profile`, `PUT /api/password`, `GET /api/tokens`, `DELETE /api/tokens/<id>`, `POST /api/logout`',
    what: 'the signed-in user; a password changes with `current_password`',
  },
]

const variables = (store: string): readonly Variable[] => [
  {
    name: 'FRONTEND_APP_URL',
    value: 'http://localhost:5173',
    remarks: [
      'Production needs the next three.',
      'Where people use the front end; links in mails lead there.',
    ],
    needed: 'where links in mails lead',
  },
  {
    name: 'APP_KEY',
    remarks: [
      'Signs verification links: openssl rand -hex 32. Development keeps one in storage/app.key.',
    ],
    needed: 'make one with openssl rand -hex 32',
  },
  {
    name: 'MAIL_MAILER',
    value: 'log',
    remarks: ['log (the log and storage/logs/mail.log), resend or smtp'],
    needed: 'log, resend or smtp',
  },
  { name: 'MAIL_FROM', value: 'no-reply@example.com' },
  { name: 'RESEND_API_KEY' },
  { name: 'SMTP_HOST' },
  { name: 'SMTP_PORT', value: '587' },
  { name: 'SMTP_SECURE', value: 'false' },
  { name: 'SMTP_USERNAME' },
  { name: 'SMTP_PASSWORD' },
  {
    name: 'THROTTLE_STORE',
    value: store,
    remarks: ['Throttles count in memory, or in the database when there are several processes.'],
  },
  {
    name: 'THROTTLE_LIMIT',
    value: '6',
    remarks: ['Instead of every limit of config/svc.ts.'],
  },
  {
    name: 'TRUSTED_PROXIES',
    value: '0',
    remarks: ['Proxies in front of this server that write X-Forwarded-For.'],
  },
]
