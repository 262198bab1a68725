import type { CatalogEntry } from '../catalog.ts'

export const reachEntry: CatalogEntry = {
  name: 'reach',
  shows:
    'calls, lists, sockets and reports show each person the conversations of their numbers, sectors and ' +
    'scope, and answer of the others as if they did not exist',
  takes: '8 min',
  found: [
    'whoever gave away a conversation out of their reach was answered that it did not exist (7452df83)',
    'a contact was paged through by conversations that the person does not see (7452df83)',
    'the dashboard did not count who waits in a queue that is seen as cards (7452df83)',
    'the client of a conversation that waited in a queue out of reach could be blocked (ad7965d9)',
    'administrators were told wrong sectors and counts of a scope (ad7965d9)',
  ],
  without: 'that a new call, list or event asks who may know of a conversation',
  load: async () => (await import('./reach.ts')).reach,
}
