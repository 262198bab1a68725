import { assistantErrors } from '#shared/assistant/texts.ts'
import { contactErrors } from '#shared/contacts/texts.ts'
import { conversationErrors } from '#shared/conversations/texts.ts'
import { gatewayErrors } from '#shared/gateway/texts.ts'
import { requestErrors } from '#shared/http/texts.ts'
import { maintenanceErrors } from '#shared/maintenance/texts.ts'
import { messageErrors } from '#shared/messages/texts.ts'
import { reportErrors } from '#shared/reports/texts.ts'
import { settingsErrors } from '#shared/settings/texts.ts'
import { userErrors } from '#shared/users/texts.ts'

// What the rooms say, put together. Browsers load it with the few screens that need all of it.

/** Every refusal by its code: the HTTP status, and the text. */
export const refusals = {
  ...requestErrors,
  ...userErrors,
  ...conversationErrors,
  ...messageErrors,
  ...contactErrors,
  ...reportErrors,
  ...maintenanceErrors,
  ...settingsErrors,
  ...gatewayErrors,
  ...assistantErrors,
} as const

export type ErrorCode = keyof typeof refusals
