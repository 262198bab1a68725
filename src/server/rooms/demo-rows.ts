// Written by `npm run rooms` from what each room declares.
import * as conversations from '#server/conversations/demo-rows.ts'
import * as settings from '#server/settings/demo-rows.ts'
import * as workday from '#server/workday/demo-rows.ts'

export const demoRows = [
  conversations.demoRows,
  settings.demoRows,
  workday.demoRows,
] as const
