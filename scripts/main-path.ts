import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** By folder of `src/server`: the names of its test files, or `*` for all, `**` for those below it, too. */
const names: Readonly<Record<string, string>> = {
  '': 'gates refusals numbers',
  assistant: 'assistant',
  audit: 'routes sealer verify',
  cli: 'arguments',
  companies: 'companies',
  contacts: 'list export',
  'contacts/identity': 'identity',
  'contacts/import': 'import',
  'contacts/import/reading': 'reading',
  'conversations/acts': 'acts hand-over delete-conversation contact-change',
  'conversations/archive': 'archive',
  'conversations/automatic': '*',
  'conversations/drafts': 'drafts',
  'conversations/incoming': 'path effects decide',
  'conversations/media': 'media',
  'conversations/messages': 'changes',
  'conversations/outbox': 'outbox',
  'conversations/outgoing': 'start change-sent',
  'conversations/reading': 'list-entries list-snapshot contact-history',
  'conversations/store': 'reads message-place texts',
  demo: 'demo',
  doctor: 'own-tls',
  gateway: 'routes',
  'gateway/evolution': '**',
  'gateway/inbox': 'inbox split-webhook',
  'gateway/webhook': 'webhook webhook-body',
  'maintenance/archive': 'copy-files tables tar',
  'maintenance/backup': 'make',
  media: 'file-kind',
  notices: 'notices',
  platform: 'config failpoints log secrets',
  'platform/database': 'db events',
  'platform/http': '**',
  'platform/jobs': 'job-schema',
  'platform/live': 'live live-socket presence',
  'platform/work': '*',
  reports: '*',
  'schema/declare': '*',
  settings: 'change-settings changed-parts working-hours',
  'users/accounts': 'account-routes',
  'users/permissions': 'permission-routes',
  'users/profile': 'profile',
  'users/sign-in': 'login common-passwords',
}

/** @throws Error when there is no such file: one that was renamed would be run no more */
function filesOf(folder: string, name: string): string[] {
  const pattern = join('src/server', folder, name === '**' ? '**/*.test.ts' : `${name}.test.ts`)
  const found = globSync(pattern, { cwd: root })
  if (found.length === 0) throw new Error(`scripts/main-path.ts names ${pattern}, which is not there`)
  return found
}

/**
 * The server's tests that `npm test` always runs: from a client's message to the reply, who may do what, of
 * each room what it is there for, and what needs no database and takes no time. The others run when a change
 * concerns them (`choose-tests.ts`). Paths from the root.
 */
export const mainPath: readonly string[] = Object.entries(names)
  .flatMap(([folder, words]) => words.split(' ').flatMap((name) => filesOf(folder, name)))
  .toSorted()
