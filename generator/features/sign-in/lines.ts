import type { Project } from '../../plan/project.js'
import type { Slots } from '../../plan/render/slots.js'

/** What signing in says in files of others. */
export const signInLines = ({ isSqlite }: Project): Partial<Slots> => ({
  imports: { 'app/server.ts': [{ from: './auth.js', names: ['auth'] }] },
  server_close_before: ['await auth.settled()'],
  env_example_last: environment(isSqlite ? 'memory' : 'database'),
  compose_environment: [
    'APP_KEY: ${APP_KEY:?make one with openssl rand -hex 32}',
    'FRONTEND_APP_URL: ${FRONTEND_APP_URL:?where links in mails lead}',
    'MAIL_MAILER: ${MAIL_MAILER:?log, resend or smtp}',
  ],
  readme_routes_last: [
    '| `POST /api/register`, `/api/login` | the user, with the token to send as `Authorization: Bearer` in `meta.token` |',
    '| `POST /api/svc/forgotPassword`, `/api/svc/resetPassword` | mails a link; sets a new password with its `token` and `email` |',
    '| `POST /api/svc/verify/<id>/<emailHash>` | verifies an address, with a link from a mail; `POST /api/svc/verify` mails it again |',
    '| `/api/svc/profile`, `PUT /api/password`, `GET /api/tokens`, `DELETE /api/tokens/<id>`, `POST /api/logout` | the signed-in user; a password changes with `current_password` |',
  ],
})

const environment = (store: string): readonly string[] => [
  '',
  '# Production needs the next three.',
  '# Where people use the front end; links in mails lead there.',
  '# FRONTEND_APP_URL=http://localhost:5173',
  '# Signs verification links: openssl rand -hex 32. Development keeps one in storage/app.key.',
  '# APP_KEY=',
  '# log (the log and storage/logs/mail.log), resend or smtp',
  '# MAIL_MAILER=log',
  '# MAIL_FROM=no-reply@example.com',
  '# RESEND_API_KEY=',
  '# SMTP_HOST=',
  '# SMTP_PORT=587',
  '# SMTP_SECURE=false',
  '# SMTP_USERNAME=',
  '# SMTP_PASSWORD=',
  '# Throttles count in memory, or in the database when there are several processes.',
  `# THROTTLE_STORE=${store}`,
  '# Instead of every limit of config/svc.ts.',
  '# THROTTLE_LIMIT=6',
  '# Proxies in front of this server that write X-Forwarded-For.',
  '# TRUSTED_PROXIES=0',
]
