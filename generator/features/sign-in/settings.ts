import { unsetProxies, type Setting } from '../../plan/feature.js'

/** Variables that `svc doctor --production` looks at. */
export const signInSettings: readonly Setting[] = [
  {
    rule: 'mail',
    isWrong: true,
    name: 'MAIL_MAILER',
    isFound: (value) => value === 'log',
    message: 'is log: nobody gets a mail, and whoever reads the log can set passwords',
    fix: 'resend or smtp',
  },
  {
    rule: 'throttle',
    isWrong: true,
    name: 'THROTTLE_LIMIT',
    isFound: (value) => Number(value) > 100,
    message: 'replaces every limit of config/svc.ts, and lets passwords be guessed',
    fix: 'leave it out',
  },
  {
    rule: 'throttle-store',
    name: 'THROTTLE_STORE',
    isFound: (value, { database }) => database === 'postgresql' && value === 'memory',
    message: 'is memory: several processes let several times as many attempts pass',
    fix: 'database, unless there is one process',
  },
  unsetProxies,
]
