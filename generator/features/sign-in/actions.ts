/** Actions of signing in: the name in `svcAuth`, the address, and the controller. */
export const authActions = [
  {
    action: 'register',
    path: '/register',
    controller: 'RegisterController',
    routes: [['POST', '']],
  },
  {
    action: 'login',
    path: '/login',
    controller: 'LoginController',
    routes: [['POST', '']],
  },
  {
    action: 'forgotPassword',
    path: '/svc/forgotPassword',
    controller: 'ForgotPasswordController',
    routes: [['POST', '']],
  },
  {
    action: 'resetPassword',
    path: '/svc/resetPassword',
    controller: 'ResetPasswordController',
    routes: [['POST', '']],
  },
  {
    action: 'verifyEmail',
    path: '/svc/verify',
    controller: 'VerifyEmailController',
    routes: [
      ['POST', '/:id/:emailHash'],
      ['POST', ''],
    ],
  },
  {
    action: 'logout',
    path: '/logout',
    controller: 'LogoutController',
    routes: [['POST', '']],
  },
  {
    action: 'profile',
    path: '/svc/profile',
    controller: 'ProfileController',
    routes: [
      ['GET', ''],
      ['PUT', ''],
      ['PATCH', ''],
    ],
  },
  {
    action: 'tokens',
    path: '/tokens',
    controller: 'TokensController',
    routes: [
      ['GET', ''],
      ['DELETE', '/:id'],
    ],
  },
  {
    action: 'changePassword',
    path: '/password',
    controller: 'ChangePasswordController',
    routes: [['PUT', '']],
  },
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
