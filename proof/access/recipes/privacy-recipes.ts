import type { Recipes } from '../recipe.ts'
import { always, each, once, oneTalk, talks } from './targets.ts'

/** The calls by which persons get their rights. */
export const privacyRecipes: Recipes = {
  'GET /api/contacts/{id}/personal-data': [
    {
      what: 'a contact',
      status: 200,
      targets: once(async (world) => ({
        path: `/api/contacts/${(await oneTalk(world, 'colleague')).contactId}/personal-data`,
      })),
    },
  ],
  'POST /api/contacts/{id}/anonymize': [
    {
      what: 'a contact with an open conversation',
      status: 200,
      targets: each(talks('colleague'), ({ contactId }) => ({
        path: `/api/contacts/${contactId}/anonymize`,
      })),
    },
  ],
  'GET /api/privacy-requests': [{ what: 'a page', status: 200, targets: always('/api/privacy-requests') }],
}
