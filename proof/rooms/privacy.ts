import { changing, type Recipes } from '../access/recipe.ts'
import { recordedAndPushed } from '../access/owned.ts'
import { each, once, oneTalk, plain, talks } from '../access/targets.ts'

/** The calls by which persons get their rights. */
export const recipes = {
  'GET /api/contacts/{id}/personal-data': {
    what: 'a contact',
    status: 200,
    targets: once(async (world) => ({ id: (await oneTalk(world, 'colleague')).contactId })),
  },
  'POST /api/contacts/{id}/anonymize': changing(
    {
      what: 'a contact with an open conversation',
      status: 200,
      targets: each(talks('colleague'), ({ contactId }) => ({ id: contactId })),
    },
    recordedAndPushed,
    '+messages +privacy_requests -contact_identities contacts.erased_at contacts.has_gateway_name',
    'contacts.name contacts.name_folded contacts.phone contacts.updated_at conversations.completed_at',
    'conversations.status conversations.version conversations.waiting_for conversations.waiting_since',
    'conversations.auto_close_from messages.content messages.metadata messages.version',
  ),
  'GET /api/privacy-requests': plain('a page'),
} satisfies Recipes
