// Written by `npm run rooms` from what each room declares.
import * as conversations from '#server/conversations/demo-rows.ts'
import * as settings from '#server/settings/demo-rows.ts'

export const demoRows = [
  conversations.demoRows,
  settings.demoRows,
] as const
