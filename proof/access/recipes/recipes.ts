import type { Recipes } from '../recipe.ts'
import { accountRecipes } from './account-recipes.ts'
import { archiveRecipes } from './archive-recipes.ts'
import { companyRecipes } from './company-recipes.ts'
import { contactRecipes } from './contact-recipes.ts'
import { conversationRecipes } from './conversation-recipes.ts'
import { fileRecipes } from './file-recipes.ts'
import { importRecipes } from './import-recipes.ts'
import { liveRecipes } from './live-recipes.ts'
import { maintenanceRecipes } from './maintenance-recipes.ts'
import { messageRecipes } from './message-recipes.ts'
import { privacyRecipes } from './privacy-recipes.ts'
import { profileRecipes } from './profile-recipes.ts'
import { reportRecipes } from './report-recipes.ts'
import { sessionRecipes } from './session-recipes.ts'
import { settingsRecipes } from './settings-recipes.ts'

/**
 * How each row of the permission table is called. Whoever adds a row to permissions.json adds its recipe to
 * the file of its room in this folder; without it `npm run test:matrix` fails and names the row.
 */
export const recipes: Recipes = {
  ...sessionRecipes,
  ...profileRecipes,
  ...accountRecipes,
  ...conversationRecipes,
  ...archiveRecipes,
  ...messageRecipes,
  ...contactRecipes,
  ...companyRecipes,
  ...privacyRecipes,
  ...importRecipes,
  ...reportRecipes,
  ...maintenanceRecipes,
  ...settingsRecipes,
  ...fileRecipes,
  ...liveRecipes,
}
