// Written by `npm run rooms` from what each room declares.
import * as sectors from '#web/sectors/live.ts'
import * as users from '#web/users/live.ts'

export const onPushed = {
  ...sectors.onPushed,
  ...users.onPushed,
} as const
