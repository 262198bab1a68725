// Written by `npm run rooms` from what each room declares.
import * as audit from '#web/audit/screens.ts'
import * as companies from '#web/companies/screens.ts'
import * as contacts from '#web/contacts/screens.ts'
import * as conversations from '#web/conversations/screens.ts'
import * as gateway from '#web/gateway/screens.ts'
import * as maintenance from '#web/maintenance/screens.ts'
import * as reports from '#web/reports/screens.ts'
import * as settings from '#web/settings/screens.ts'
import * as users from '#web/users/screens.ts'

export const screens = {
  ...audit.screens,
  ...companies.screens,
  ...contacts.screens,
  ...conversations.screens,
  ...gateway.screens,
  ...maintenance.screens,
  ...reports.screens,
  ...settings.screens,
  ...users.screens,
} as const
