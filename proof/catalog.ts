import type { CatalogEntry } from './support/catalog-entry.ts'

/**
 * The ledger of proofs. A proof that has found nothing, and whose subject a test holds, is removed; so is one
 * whose finding and subject a test has taken over.
 */
export const catalog: readonly CatalogEntry[] = [
  {
    name: 'chaos',
    shows: 'kill -9 at every point of the delivery path: phones, database and sockets agree afterwards',
    takes: '6 min',
    found: [
      'the probe of a killed program kept everybody from a gateway that was back (9763f706)',
      'events whose transaction got an id again after the database crashed were not delivered (7003adea)',
    ],
    without: 'messages that are lost, doubled or stale after a death at a moment of which no test knows',
    load: async () => (await import('./chaos/chaos.ts')).chaos,
  },
  {
    name: 'storms',
    shows: 'webhooks delivered up to twenty times, shuffled, have one effect each',
    takes: '20 min',
    found: [
      'a pin was reported again by each look through the record (86c11358)',
      'the same message reported again at both instances ended in a deadlock (9787a9e5)',
      'an answer and a claim of the outbox waited for each other (c39f66de)',
      'an edit from the record was stored once more when its webhook came (3bec6bf0)',
    ],
    without: 'deadlocks and second effects of rare orders of arrival, on two instances',
    load: async () => (await import('./storms/storms.ts')).storms,
  },
  {
    name: 'races',
    shows: 'two people acting on one conversation at once leave what one of the two orders would have left',
    takes: '10 min',
    found: ['a conversation that was taken by a reply had no line about it in its timeline (a189ed2e)'],
    without: 'that every pair of acts is serial, with version, audit and order everywhere',
    load: async () => (await import('./races/races.ts')).races,
  },
  {
    name: 'order',
    shows:
      'an answer waits for none of 500 automatic texts; each phone receives what was decided for it, in ' +
      'that order, over its conversations, and nothing of the queue after an answer',
    takes: '2 min',
    found: [],
    without: 'orders of acts that nobody has thought of',
    load: async () => (await import('./order/order.ts')).order,
  },
  {
    name: 'clock',
    shows:
      'the clock of the database moved by two hours or two days for ten seconds: what was due is done ' +
      'within 20 s of the correction, and nothing twice',
    takes: '8 min',
    found: [
      'a reply waited for minutes when the database ended a statement of its send (bc314c10)',
      'a message that came while the clock was days ahead stayed in the history (9365a8d4)',
    ],
    without: 'work that waits for a clock that was wrong, since each time of the product is stored by it',
    load: async () => (await import('./clock/clock.ts')).clock,
  },
  {
    name: 'walk',
    shows: "after any acts a browser's cache equals a fresh fetch",
    takes: '10 min',
    found: [
      "a contact's new name hid that a conversation had ended during a gap (a4898fa6)",
      'news that was sent again to a tab that resumed came as a second notice (7a097769)',
      'quotes and pages stayed as they were when messages or starts were moved (12f8e3f2)',
      'a timeline kept its length when messages left it, and quotes a text from before an edit (1e7732dd)',
    ],
    without: 'screens that show something else than the server has, after acts in an order nobody wrote down',
    load: async () => (await import('./walk/walk.ts')).walk,
  },
  {
    name: 'reconnect',
    shows: "WhatsApp's socket away, and the gateway restarted a hundred times: nothing lost, order kept",
    takes: '6 min',
    found: ["a file whose upload found WhatsApp's connection closed was never sent again (b3170bbd)"],
    without: 'replies that are lost or change places around restarts of the gateway',
    load: async () => (await import('./reconnect/reconnect.ts')).reconnect,
  },
  {
    name: 'lost-answers',
    shows: 'sends with lost answers are settled by their own ids, once, also over upgrades of the gateway',
    takes: '10 min',
    found: [],
    without: 'that a text written on the phone is never taken for the send of the same text',
    load: async () => (await import('./lost-answers/lost-answers.ts')).lostAnswers,
  },
  {
    name: 'fuzz-webhook',
    shows: 'damaged and arbitrary webhook bodies are all answered and worked off',
    takes: '2 min',
    found: ['messages under two addresses of a contact, or of many chats, ended in deadlocks (e21ecbd4)'],
    without: 'bodies that stop the inbox, and memory that grows with them',
    load: async () => (await import('./fuzz-webhook/fuzz-webhook.ts')).fuzzWebhook,
  },
  {
    name: 'hostile-bodies',
    shows: 'a thousand hostile bodies of strangers at once cost neither memory nor time',
    takes: '1 min',
    found: [
      'a deep body was refused only after all of it had come (543cbf54)',
      'valid bodies of strangers were parsed before their key was judged (bca55aa3)',
      'what was read of refused requests stayed in memory (f813aed6)',
    ],
    without: 'that memory and answers of a program under such a flood stay within bounds',
    load: async () => (await import('./hostile-bodies/hostile-bodies.ts')).hostileBodies,
  },
  {
    name: 'hostile-files',
    shows: 'hostile workbooks and other files of contacts cost neither memory nor time beside messages',
    takes: '5 min',
    found: [],
    without: 'a workbook of some kilobytes that stops the program for everybody',
    load: async () => (await import('./hostile-files/hostile-files.ts')).hostileFiles,
  },
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
    load: async () => (await import('./fuzz-calls/fuzz-calls.ts')).fuzzCalls,
  },
  {
    name: 'format',
    shows: 'random and hostile texts are formatted in linear time, with few nodes',
    takes: '1 min',
    found: ['formatted texts, and addresses of 100,000 letters, held up the page (608cdd06)'],
    without: 'a text of a client that freezes the console',
    load: async () => (await import('./format/format.ts')).format,
  },
  {
    name: 'files',
    shows: 'large files pass both ways byte by byte, without growing the memory',
    takes: '2 min',
    found: ['64 kB of each fetched file were held for three minutes (796fa998)'],
    without: 'memory that grows with the size of files',
    load: async () => (await import('./files/files.ts')).files,
  },
  {
    name: 'import',
    shows: 'a hundred thousand contacts come in within ten times a COPY, once each, also after kills',
    takes: '10 min',
    found: [
      'contacts were looked up by plans from before the import, which made it quadratic (401cc0aa)',
      'the heap grew with the length of an import (d563e599)',
      'messages waited for the blocks of an import, and a run that was killed often was given up (40b398cd)',
    ],
    without: 'how long imports, and messages beside them, take at their real size',
    load: async () => (await import('./import/import.ts')).importing,
  },
  {
    name: 'canary',
    shows: 'no secret reaches logs, answers, frames, tables, processes or pages',
    takes: '1 min',
    found: [],
    without: 'a secret in a place where nobody looks, since it reads all of them',
    load: async () => (await import('./canary/canary.ts')).canary,
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
    load: async () => (await import('./matrix/matrix.ts')).matrix,
  },
  {
    name: 'mutants',
    shows: 'the matrix fails for a server that leaves out any single flag or ceiling of the permission table',
    takes: '2 min',
    found: [],
    without: 'that the matrix would notice',
    load: async () => (await import('./mutants/mutants.ts')).mutants,
  },
  {
    name: 'references',
    shows: 'ids of what a person does not see are answered, at every place of an id, like ids of nothing',
    takes: '3 min',
    found: [],
    without: 'that an id tells nobody what exists, also in a call that is new',
    load: async () => (await import('./references/references.ts')).references,
  },
  {
    name: 'sector-references',
    shows:
      'ids of conversations, messages, notes and files of other sectors are answered, at every place of an ' +
      'id, like ids of nothing, to people with each scope',
    takes: '4 min',
    found: [],
    without: 'that an id tells nobody of another sector what exists, also in a call that is new',
    load: async () => (await import('./sector-references/sector-references.ts')).sectorReferences,
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
    ],
    without: 'that a new call, list or event asks who may know of a conversation',
    load: async () => (await import('./reach/reach.ts')).reach,
  },
  {
    name: 'notes',
    shows:
      'nothing of an internal note leaves: not to a phone, to the gateway, to the AI or into a file for a ' +
      'client, whatever is tried by calls and by statements in the database, also over kills',
    takes: '2 min',
    found: [
      'files for clients had the words of transfers and of the end, which are of the team (5b71eb54)',
      'a reply under the id of a note was answered as if it had been sent (f978998d)',
    ],
    without: 'that a new way to send something refuses notes',
    load: async () => (await import('./notes/notes.ts')).notes,
  },
  {
    name: 'note-figures',
    shows:
      'every list, header, dashboard, report and file without notes is the same with internal notes and ' +
      'without them, over the same history',
    takes: '3 min',
    found: [],
    without: 'that a new figure counts no note',
    load: async () => (await import('./note-figures/note-figures.ts')).noteFigures,
  },
  {
    name: 'mass-assignment',
    shows: 'a body that names every column of the database changes only what its call is there for',
    takes: '2 min',
    found: [],
    without: 'a column that a new call takes over from a body',
    load: async () => (await import('./mass-assignment/mass-assignment.ts')).massAssignment,
  },
  {
    name: 'lgpd',
    shows: 'of who was anonymized nothing is found, in the database, the files and the logs, also later',
    takes: '3 min',
    found: [],
    without: 'traces in the logs and files of a program as it runs',
    load: async () => (await import('./lgpd/lgpd.ts')).lgpd,
  },
  {
    name: 'reports',
    shows:
      'every figure of the reports is that of the messages, recounted by other code; ' +
      'a second too many is found',
    takes: '2 min',
    found: [],
    without: 'rare combinations; its first data set is a test of every run (scripts/reports.test.ts)',
    load: async () => (await import('./reports/reports.ts')).reports,
  },
  {
    name: 'merges',
    shows: 'contacts merged, parted and deleted at random: no message without its conversation, nobody twice',
    takes: '15 min',
    found: ['parted and restored contacts got addresses that were not theirs (6449a2c4)'],
    without: 'rare sequences; its first ones are a test of every run (scripts/merges.test.ts)',
    load: async () => (await import('./merges/merges.ts')).merges,
  },
  {
    name: 'operations',
    shows:
      'the page of operations, followed from a clone by root with an account for the service: unit, own ' +
      'PostgreSQL, two instances behind TLS, bucket, backup, copy, the lost machine, upgrade and its undoing',
    takes: '2 min',
    found: [],
    without: 'what somebody meets who follows the documents to the letter',
    load: async () => (await import('./operations/operations.ts')).operations,
  },
  {
    name: 'backup',
    shows:
      'a large installation comes back whole, fast and beside its messages; nothing damaged is taken in; ' +
      'killed at any moment, a backup is not completed and a restore all or nothing',
    takes: '20 min',
    found: [
      'deleting ten thousand messages took minutes, since each looked through all conversations (0ae37912)',
      'the heap grew to several times what was in use during a long run (a17ba398)',
      'messages waited while a backup was made (89aaeff0)',
    ],
    without: 'what a backup costs at its real size, and what a kill at any moment leaves',
    load: async () => (await import('./backup/backup.ts')).backup,
  },
  {
    name: 'disk-full',
    shows:
      'on a disk that is full files and backups are refused with a message, messages are stored, ' +
      'nothing half is left; with space all is well',
    takes: '6 min',
    found: [
      'the embedded database stayed down once the disk had space again (46ad38ec)',
      'files took the space that the database needed to go on (93c0660d)',
      'a refused file held up the calls behind it on its connection (e947870d)',
    ],
    without: 'the embedded database on a full disk',
    load: async () => (await import('./disk-full/disk-full.ts')).diskFull,
  },
  {
    name: 'upgrades',
    shows:
      'installations of version 0.1.0 are upgraded with every row, copied before and undone; ' +
      'an upgrade that fails or is killed changes nothing',
    takes: '10 min',
    found: ['rows of the audit log of an older version could not be listed (0da43574)'],
    without: 'rows that an upgrade loses, before anybody who has them upgrades',
    load: async () => (await import('./upgrades/upgrades.ts')).upgrades,
  },
  {
    name: 'answers',
    shows:
      'an installation that an earlier version has filled answers every call that reads as before, byte by ' +
      'byte, but for fields that are new',
    takes: '5 min',
    found: ['the page of an exported conversation had the style of notes without any (f6cfe9ce)'],
    without: 'what a new capability changes for those who do not use it',
    load: async () => (await import('./answers/answers.ts')).answers,
  },
]
