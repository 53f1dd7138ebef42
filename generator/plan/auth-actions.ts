/** What signing in consists of: its name in `svcAuth`, where it answers, and the controller that does. */
export const authActions = [
  { action: 'register', path: '/register', controller: 'RegisterController' },
  { action: 'login', path: '/login', controller: 'LoginController' },
  { action: 'forgotPassword', path: '/svc/forgotPassword', controller: 'ForgotPasswordController' },
  { action: 'resetPassword', path: '/svc/resetPassword', controller: 'ResetPasswordController' },
  { action: 'verifyEmail', path: '/svc/verify', controller: 'VerifyEmailController' },
  { action: 'logout', path: '/logout', controller: 'LogoutController' },
  { action: 'profile', path: '/svc/profile', controller: 'ProfileController' },
  { action: 'tokens', path: '/tokens', controller: 'TokensController' },
  { action: 'changePassword', path: '/password', controller: 'ChangePasswordController' },
] as const

export type AuthAction = (typeof authActions)[number]

/** The controllers run from the first folder; what is published goes to the second, as deep. */
export const runningFolder = 'app/Http/Controllers/Auth'
export const publishedFolder = 'app/Http/Controllers/Svc'

/** Mails, and where a published one goes. */
export const notificationPaths = [
  'app/Mail/ForgotPasswordNotification.ts',
  'app/Mail/VerifyEmailNotification.ts',
] as const
