import type { Scenario } from './support/scenario.ts'

/** A proof, which is only loaded to run. */
export interface CatalogEntry {
  name: string
  /** What a passed run shows. */
  shows: string
  /** The approximate duration with default options on two free cores. */
  takes: string
  load(): Promise<Scenario>
}

export const catalog: readonly CatalogEntry[] = [
  {
    name: 'chaos',
    shows: 'kill -9 at every point of the delivery path: phones, database and sockets agree afterwards',
    takes: '6 min',
    load: async () => (await import('./chaos/chaos.ts')).chaos,
  },
  {
    name: 'sends',
    shows:
      'replies through a gateway that answers in every way it can reach their phone once, or visibly not',
    takes: '5 min',
    load: async () => (await import('./sends/sends.ts')).sends,
  },
  {
    name: 'outage',
    shows:
      'after an hour without the gateway everything arrives once, in order, at the pace that is set, ' +
      "people's messages first, and what clients wrote meanwhile is there",
    takes: '4 min',
    load: async () => (await import('./outage/outage.ts')).outage,
  },
  {
    name: 'healing',
    shows:
      'after an hour without us, and with webhooks dropped at random, every message, edit and deletion is ' +
      'there once, in order, silently',
    takes: '5 min',
    load: async () => (await import('./healing/healing.ts')).healing,
  },
  {
    name: 'reconnect',
    shows: "WhatsApp's socket away, and the gateway restarted a hundred times: nothing lost, order kept",
    takes: '6 min',
    load: async () => (await import('./reconnect/reconnect.ts')).reconnect,
  },
  {
    name: 'numbers',
    shows:
      'ten numbers, one hanging and one away: nothing lost, each answered from its own, none waits for ' +
      'another',
    takes: '2 min',
    load: async () => (await import('./numbers/numbers.ts')).numbers,
  },
  {
    name: 'races',
    shows: 'two people acting on one conversation at once leave what one of the two orders would have left',
    takes: '10 min',
    load: async () => (await import('./races/races.ts')).races,
  },
  {
    name: 'inactivity',
    shows: 'inactivity that ends while somebody acts ends once, with one goodbye, or not at all',
    takes: '3 min',
    load: async () => (await import('./inactivity/inactivity.ts')).inactivity,
  },
  {
    name: 'storms',
    shows: 'webhooks delivered up to twenty times, shuffled, have one effect each',
    takes: '20 min',
    load: async () => (await import('./storms/storms.ts')).storms,
  },
  {
    name: 'sockets',
    shows: 'a thousand open consoles get every message in time, also over restarts',
    takes: '12 min',
    load: async () => (await import('./sockets/sockets.ts')).sockets,
  },
  {
    name: 'walk',
    shows: "after any acts a browser's cache equals a fresh fetch",
    takes: '10 min',
    load: async () => (await import('./walk/walk.ts')).walk,
  },
  {
    name: 'play',
    shows: 'a full day on a virtual clock keeps every rule of queue, texts and inactivity',
    takes: '2 min',
    load: async () => (await import('./play/play.ts')).play,
  },
  {
    name: 'fuzz-webhook',
    shows: 'damaged and arbitrary webhook bodies are all answered and worked off',
    takes: '2 min',
    load: async () => (await import('./fuzz-webhook/fuzz-webhook.ts')).fuzzWebhook,
  },
  {
    name: 'hostile-bodies',
    shows: 'a thousand hostile bodies of strangers at once cost neither memory nor time',
    takes: '1 min',
    load: async () => (await import('./hostile-bodies/hostile-bodies.ts')).hostileBodies,
  },
  {
    name: 'fuzz-calls',
    shows: 'arbitrary calls and frames by every role find no 5xx, no leak and no missing header',
    takes: '3 min',
    load: async () => (await import('./fuzz-calls/fuzz-calls.ts')).fuzzCalls,
  },
  {
    name: 'codes',
    shows: 'a guesser who has the password is heard as often as the design says, and no more',
    takes: '8 min',
    load: async () => (await import('./codes/codes.ts')).codes,
  },
  {
    name: 'format',
    shows: 'random and hostile texts are formatted in linear time, with few nodes',
    takes: '1 min',
    load: async () => (await import('./format/format.ts')).format,
  },
  {
    name: 'files',
    shows: 'large files pass both ways byte by byte, without growing the memory',
    takes: '2 min',
    load: async () => (await import('./files/files.ts')).files,
  },
  {
    name: 'import',
    shows: 'a hundred thousand contacts come in within ten times a COPY, once each, also after kills',
    takes: '10 min',
    load: async () => (await import('./import/import.ts')).importing,
  },
  {
    name: 'spreadsheets',
    shows: 'no exported cell is a formula in LibreOffice, and what LibreOffice saves is imported as it is',
    takes: '2 min',
    load: async () => (await import('./spreadsheets/spreadsheets.ts')).spreadsheets,
  },
  {
    name: 'canary',
    shows: 'no secret reaches logs, answers, frames, tables, processes or pages',
    takes: '1 min',
    load: async () => (await import('./canary/canary.ts')).canary,
  },
  {
    name: 'audit',
    shows: 'a thousand tamperings with the audit log are found at their places, also after a busy day',
    takes: '3 min',
    load: async () => (await import('./audit/audit.ts')).audit,
  },
  {
    name: 'embedded-life',
    shows: 'the embedded database survives every kill, stop and damaged folder',
    takes: '5 min',
    load: async () => (await import('./embedded-life/embedded-life.ts')).embeddedLife,
  },
  {
    name: 'matrix',
    shows:
      'every call is answered to each of 155 principals as permissions.json says, refusals without effect',
    takes: '1 min',
    load: async () => (await import('./matrix/matrix.ts')).matrix,
  },
  {
    name: 'mutants',
    shows: 'the matrix fails for a server that leaves out any single flag or ceiling of the permission table',
    takes: '2 min',
    load: async () => (await import('./mutants/mutants.ts')).mutants,
  },
  {
    name: 'references',
    shows: 'ids of what a person does not see are answered, at every place of an id, like ids of nothing',
    takes: '3 min',
    load: async () => (await import('./references/references.ts')).references,
  },
  {
    name: 'lgpd',
    shows: 'of who was anonymized nothing is found, in the database, the files and the logs, also later',
    takes: '3 min',
    load: async () => (await import('./lgpd/lgpd.ts')).lgpd,
  },
  {
    name: 'mass-assignment',
    shows: 'a body that names every column of the database changes only what its call is there for',
    takes: '2 min',
    load: async () => (await import('./mass-assignment/mass-assignment.ts')).massAssignment,
  },
  {
    name: 'administrators',
    shows: 'of two administrators who end each other at once, on two instances, one is always left',
    takes: '1 min',
    load: async () => (await import('./administrators/administrators.ts')).administrators,
  },
  {
    name: 'passwords',
    shows: 'of two hundred guesses at once three are compared; thirty people of one address all get in',
    takes: '1 min',
    load: async () => (await import('./passwords/passwords.ts')).passwords,
  },
  {
    name: 'revocation',
    shows: 'rights that are taken while fifty requests are under way count for none of them a second later',
    takes: '2 min',
    load: async () => (await import('./revocation/revocation.ts')).revocation,
  },
  {
    name: 'reports',
    shows:
      'every figure of the reports is that of the messages, recounted by other code; ' +
      'a second too many is found',
    takes: '2 min',
    load: async () => (await import('./reports/reports.ts')).reports,
  },
  {
    name: 'merges',
    shows: 'contacts merged, parted and deleted at random: no message without its conversation, nobody twice',
    takes: '15 min',
    load: async () => (await import('./merges/merges.ts')).merges,
  },
  {
    name: 'backup',
    shows:
      'a large installation comes back whole, fast and beside its messages; nothing damaged is taken in; ' +
      'killed at any moment, a backup is not completed and a restore all or nothing',
    takes: '20 min',
    load: async () => (await import('./backup/backup.ts')).backup,
  },
  {
    name: 'disk-full',
    shows:
      'on a disk that is full files and backups are refused in words, messages are stored, nothing half is ' +
      'left; with space all is well',
    takes: '6 min',
    load: async () => (await import('./disk-full/disk-full.ts')).diskFull,
  },
  {
    name: 'month',
    shows:
      'in a month of a busy team no table, folder or memory grows that should not, with and without periods',
    takes: '11 min',
    load: async () => (await import('./month/month.ts')).month,
  },
  {
    name: 'upgrades',
    shows:
      'databases of every earlier version are upgraded with every row, copied before and undone; ' +
      'an upgrade that fails or is killed changes nothing',
    takes: '8 min',
    load: async () => (await import('./upgrades/upgrades.ts')).upgrades,
  },
]
