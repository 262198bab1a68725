// Written by `npm run rooms` from what each room declares.
import * as settings from '#server/settings/demo-rows.ts'

export const demoRows = [
  settings.demoRows,
] as const
