import type { CatalogEntry } from '../support/catalog-entry.ts'

/** What is stored, counted, archived and brought over. */
export const stored: readonly CatalogEntry[] = [
  {
    name: 'files',
    shows: 'large files pass both ways byte by byte, without growing the memory',
    takes: '2 min',
    found: ['64 kB of each fetched file were held for three minutes (796fa998)'],
    without: 'memory that grows with the size of files',
    load: async () => (await import('../files/files.ts')).files,
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
    load: async () => (await import('../import/import.ts')).importing,
  },
  {
    name: 'note-figures',
    shows:
      'every list, header, dashboard, report and file without notes is the same with internal notes and ' +
      'without them, over the same history',
    takes: '3 min',
    found: ['a message that came late was not shown as the last one after a note (0ee93338)'],
    without: 'that a new figure counts no note',
    load: async () => (await import('../note-figures/note-figures.ts')).noteFigures,
  },
  {
    name: 'reports',
    shows:
      'every figure of the reports is that of the messages, recounted by other code; ' +
      'a second too many is found',
    takes: '2 min',
    found: [],
    without: 'rare combinations; its first data set is a test of every run (scripts/reports.test.ts)',
    load: async () => (await import('../reports/reports.ts')).reports,
  },
  {
    name: 'merges',
    shows: 'contacts merged, parted and deleted at random: no message without its conversation, nobody twice',
    takes: '15 min',
    found: ['parted and restored contacts got addresses that were not theirs (6449a2c4)'],
    without: 'rare sequences; its first ones are a test of every run (scripts/merges.test.ts)',
    load: async () => (await import('../merges/merges.ts')).merges,
  },
  {
    name: 'operations',
    shows:
      'the page of operations, followed from a clone by root with an account for the service: unit, own ' +
      'PostgreSQL, two instances behind TLS, bucket, backup, copy, the lost machine, upgrade and its undoing',
    takes: '2 min',
    found: [],
    without: 'what somebody meets who follows the documents to the letter',
    load: async () => (await import('../operations/operations.ts')).operations,
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
    load: async () => (await import('../backup/backup.ts')).backup,
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
    load: async () => (await import('../disk-full/disk-full.ts')).diskFull,
  },
  {
    name: 'upgrades',
    shows:
      'installations of version 0.1.0 are upgraded with every row, copied before and undone; ' +
      'an upgrade that fails or is killed changes nothing',
    takes: '10 min',
    found: ['rows of the audit log of an older version could not be listed (0da43574)'],
    without: 'rows that an upgrade loses, before anybody who has them upgrades',
    load: async () => (await import('../upgrades/upgrades.ts')).upgrades,
  },
  {
    name: 'answers',
    shows:
      'an installation that an earlier version has filled answers every call that reads as before, byte by ' +
      'byte, but for fields that are new',
    takes: '5 min',
    found: ['the page of an exported conversation had the style of notes without any (f6cfe9ce)'],
    without: 'what a new capability changes for those who do not use it',
    load: async () => (await import('../answers/answers.ts')).answers,
  },
  {
    name: 'sector-days',
    shows:
      'days of a shop with sectors at random, on a moved clock: the oldest first in every queue, places ' +
      'told are places counted, nobody is told twice, and leads hear of a queue that nobody serves',
    takes: '2 min; with --days 1000 more than an hour',
    found: [
      'a choice from a menu was read as another question once fewer sectors were left (ad460f56)',
      'a sector that was deleted or deactivated got the clients who chose it from an earlier menu (ad460f56)',
      'nobody was offered the menu at a number whose usual sector is closed (9c35b6aa)',
      "'Assumir próxima' passed over whoever was being written to at this moment (d3eb8cb8)",
      'a sector that was deleted and a client who wrote waited for each other (2da4b5e6)',
    ],
    without: 'what deletions, hours, menus and people who come and go do to the queues of sectors together',
    load: async () => (await import('../sector-days/sector-days.ts')).sectorDays,
  },
]
