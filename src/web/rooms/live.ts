// Written by `npm run rooms` from what each room declares.
import * as users from '#web/users/live.ts'

export const onPushed = {
  ...users.onPushed,
} as const
