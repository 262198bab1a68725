import type { webhookRow } from '#shared/gateway/webhook-row.ts'
import type { liveRows } from '#shared/live-rows.ts'
import type { Recipe, RecipesOf, RowsOf } from '../recipe.ts'
import { accountRecipes } from './account-recipes.ts'
import { archiveRecipes } from './archive-recipes.ts'
import { categoryRecipes } from './category-recipes.ts'
import { companyRecipes } from './company-recipes.ts'
import { contactRecipes } from './contact-recipes.ts'
import { conversationRecipes } from './conversation-recipes.ts'
import { fileRecipes } from './file-recipes.ts'
import { gatewayRecipes } from './gateway-recipes.ts'
import { importRecipes } from './import-recipes.ts'
import { liveRecipes } from './live-recipes.ts'
import { maintenanceRecipes } from './maintenance-recipes.ts'
import { messageRecipes } from './message-recipes.ts'
import { privacyRecipes } from './privacy-recipes.ts'
import { profileRecipes } from './profile-recipes.ts'
import { reportRecipes } from './report-recipes.ts'
import { sessionRecipes } from './session-recipes.ts'
import { settingsRecipes } from './settings-recipes.ts'

/** The rows of all that is declared. */
type RowId =
  | RowsOf<typeof import('#shared/assistant/assistant-config.ts')>
  | RowsOf<typeof import('#shared/assistant/conversation-assistant.ts')>
  | RowsOf<typeof import('#shared/audit/audit-logs.ts')>
  | RowsOf<typeof import('#shared/contacts/companies.ts')>
  | RowsOf<typeof import('#shared/contacts/contact-categories.ts')>
  | RowsOf<typeof import('#shared/contacts/contact-changes.ts')>
  | RowsOf<typeof import('#shared/contacts/contact-imports.ts')>
  | RowsOf<typeof import('#shared/contacts/contact-merges.ts')>
  | RowsOf<typeof import('#shared/contacts/contacts.ts')>
  | RowsOf<typeof import('#shared/contacts/managed-categories.ts')>
  | RowsOf<typeof import('#shared/conversations/archive.ts')>
  | RowsOf<typeof import('#shared/conversations/contact-history.ts')>
  | RowsOf<typeof import('#shared/conversations/conversation-endpoints.ts')>
  | RowsOf<typeof import('#shared/conversations/drafts.ts')>
  | RowsOf<typeof import('#shared/conversations/hand-over.ts')>
  | RowsOf<typeof import('#shared/conversations/reads.ts')>
  | RowsOf<typeof import('#shared/conversations/stats.ts')>
  | RowsOf<typeof import('#shared/doctor/doctor.ts')>
  | RowsOf<typeof import('#shared/gateway/gateway-link.ts')>
  | RowsOf<typeof import('#shared/gateway/gateway.ts')>
  | RowsOf<typeof import('#shared/gateway/given-numbers.ts')>
  | RowsOf<typeof import('#shared/maintenance/maintenance-plan.ts')>
  | RowsOf<typeof import('#shared/maintenance/maintenance.ts')>
  | RowsOf<typeof import('#shared/messages/media.ts')>
  | RowsOf<typeof import('#shared/messages/message-changes.ts')>
  | RowsOf<typeof import('#shared/messages/message-endpoints.ts')>
  | RowsOf<typeof import('#shared/notices/notices.ts')>
  | RowsOf<typeof import('#shared/maintenance/privacy.ts')>
  | RowsOf<typeof import('#shared/reports/report-parts.ts')>
  | RowsOf<typeof import('#shared/reports/reports.ts')>
  | RowsOf<typeof import('#shared/reports/saved-reports.ts')>
  | RowsOf<typeof import('#shared/reports/team-stats.ts')>
  | RowsOf<typeof import('#shared/settings/settings.ts')>
  | RowsOf<typeof import('#shared/users/accounts.ts')>
  | RowsOf<typeof import('#shared/users/profile.ts')>
  | RowsOf<typeof import('#shared/users/user-permissions.ts')>
  | RowsOf<typeof import('#shared/users/users.ts')>
  | RowsOf<{ webhookRow: typeof webhookRow }>
  | RowsOf<typeof liveRows>

/**
 * How each row of the permission table is called, and what it may change. Whoever declares a call adds its
 * recipe to the file of its room in this folder; without it this does not compile, and names the row.
 */
const all = {
  ...sessionRecipes,
  ...profileRecipes,
  ...accountRecipes,
  ...conversationRecipes,
  ...archiveRecipes,
  ...messageRecipes,
  ...contactRecipes,
  ...categoryRecipes,
  ...companyRecipes,
  ...privacyRecipes,
  ...importRecipes,
  ...reportRecipes,
  ...maintenanceRecipes,
  ...settingsRecipes,
  ...gatewayRecipes,
  ...fileRecipes,
  ...liveRecipes,
} satisfies RecipesOf<RowId>

export const recipes: Readonly<Record<string, Recipe>> = all
