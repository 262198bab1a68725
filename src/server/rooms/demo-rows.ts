// Written by `npm run rooms` from what each room declares.
import * as settings from '#server/settings/demo-rows.ts'
import * as tags from '#server/tags/demo-rows.ts'
import * as views from '#server/views/demo-rows.ts'
import * as quickReplies from '#server/quick-replies/demo-rows.ts'
import * as macros from '#server/macros/demo-rows.ts'
import * as conversations from '#server/conversations/demo-rows.ts'
import * as workday from '#server/workday/demo-rows.ts'

export const demoRows = [
  settings.demoRows,
  tags.demoRows,
  views.demoRows,
  quickReplies.demoRows,
  macros.demoRows,
  conversations.demoRows,
  workday.demoRows,
] as const
