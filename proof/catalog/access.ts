import type { CatalogEntry } from '../support/catalog-entry.ts'

/** Who may do and know what, and what leaves the program. */
export const access: readonly CatalogEntry[] = [
  {
    name: 'fuzz-calls',
    shows: 'arbitrary calls and frames by every role find no 5xx, no leak and no missing header',
    takes: '3 min',
    found: [
      'a key that no header can hold stopped every call to its gateway for good (1ebf1acb)',
      'looking for links and repeated passwords took time in proportion to the square (5c80c268)',
      'half a sign in a name, and a form that ends in its middle, were answered 500 (928c8eda, e3d532fb)',
      'a date before 1900 in the filter of the audit log was answered 500 (63a04c72)',
    ],
    without: 'what calls do that nobody would write, in an order that nobody would try',
    load: async () => (await import('../fuzz-calls/fuzz-calls.ts')).fuzzCalls,
  },
  {
    name: 'format',
    shows: 'random and hostile texts are formatted in linear time, with few nodes',
    takes: '1 min',
    found: ['formatted texts, and addresses of 100,000 letters, held up the page (608cdd06)'],
    without: 'a text of a client that freezes the console',
    load: async () => (await import('../format/format.ts')).format,
  },
  {
    name: 'canary',
    shows: 'no secret reaches logs, answers, frames, tables, processes or pages',
    takes: '1 min',
    found: [],
    without: 'a secret in a place where nobody looks, since it reads all of them',
    load: async () => (await import('../canary/canary.ts')).canary,
  },
  {
    name: 'matrix',
    shows:
      'every call is answered to each of 155 principals, and recorded, as permissions.json says, ' +
      'refusals without effect',
    takes: '1 min',
    found: [
      'completed conversations and sockets asked for another row than their own (98d9a3d1)',
      'whoever has none of the rows of a call was refused only after its body (0cabf9b7)',
      'the file of a message that was refused after its upload stayed (d1e110f9)',
    ],
    without: 'that the table of permissions is what the server does',
    load: async () => (await import('../matrix/matrix.ts')).matrix,
  },
  {
    name: 'mutants',
    shows: 'the matrix fails for a server that leaves out any single flag or ceiling of the permission table',
    takes: '2 min',
    found: [],
    without: 'that the matrix would notice',
    load: async () => (await import('../mutants/mutants.ts')).mutants,
  },
  {
    name: 'references',
    shows: 'ids of what a person does not see are answered, at every place of an id, like ids of nothing',
    takes: '3 min',
    found: [],
    without: 'that an id tells nobody what exists, also in a call that is new',
    load: async () => (await import('../references/references.ts')).references,
  },
  {
    name: 'sector-references',
    shows:
      'ids of conversations, messages, notes and files of other sectors are answered, at every place of an ' +
      'id, like ids of nothing, to people with each scope',
    takes: '4 min',
    found: [],
    without: 'that an id tells nobody of another sector what exists, also in a call that is new',
    load: async () => (await import('../sector-references/sector-references.ts')).sectorReferences,
  },
  {
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
      'whoever had only looked at a conversation kept it once it was finished (35706171)',
    ],
    without: 'that a new call, list or event asks who may know of a conversation',
    load: async () => (await import('../reach/reach.ts')).reach,
  },
  {
    name: 'notes',
    shows:
      'nothing of an internal note leaves: not to a phone, to the gateway, to the AI or into a file for a ' +
      'client, whatever is tried by calls and by statements in the database, also over kills',
    takes: '2 min',
    found: [
      'files for clients had the words of transfers and of the end, which are of the team (2179edbf)',
      'a reply under the id of a note was answered as if it had been sent (12bd8045)',
    ],
    without: 'that a new way to send something refuses notes',
    load: async () => (await import('../notes/notes.ts')).notes,
  },
  {
    name: 'mass-assignment',
    shows: 'a body that names every column of the database changes only what its call is there for',
    takes: '2 min',
    found: [],
    without: 'a column that a new call takes over from a body',
    load: async () => (await import('../mass-assignment/mass-assignment.ts')).massAssignment,
  },
  {
    name: 'lgpd',
    shows: 'of who was anonymized nothing is found, in the database, the files and the logs, also later',
    takes: '3 min',
    found: [],
    without: 'traces in the logs and files of a program as it runs',
    load: async () => (await import('../lgpd/lgpd.ts')).lgpd,
  },
]
