export const signInReserved = {
  keys: [
    'auth',
    'forgotPassword',
    'login',
    'logout',
    'profile',
    'register',
    'resetPassword',
    'tokens',
    'verify',
  ],
  tables: ['password_resets', 'personal_access_tokens', 'rate_limits'],
  types: ['PasswordReset', 'PersonalAccessToken', 'RateLimit'],
} as const
