import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * The server's tests that `npm test` always runs: from a client's message to the reply, who may do what, of
 * each room what it is there for, and what needs no database and takes no time. The others run when a change
 * concerns them (`choose-tests.ts`).
 */
export const mainPath: readonly string[] = globSync(
  [
    'src/server/{app,gates,refusals,numbers}.test.ts',
    'src/server/{assistant/assistant,companies/companies,notices/notices,demo/demo}.test.ts',
    'src/server/audit/{routes,sealer,verify}.test.ts',
    'src/server/cli/{arguments,password-input,user-commands}.test.ts',
    'src/server/contacts/{list,export}.test.ts',
    'src/server/contacts/identity/identity.test.ts',
    'src/server/contacts/import/{import,sheet-file}.test.ts',
    'src/server/conversations/acts/{acts,take-next,hand-over,delete-conversation,contact-change}.test.ts',
    'src/server/conversations/archive/archive.test.ts',
    'src/server/conversations/automatic/*.test.ts',
    'src/server/conversations/drafts/drafts.test.ts',
    'src/server/conversations/incoming/{path,effects,decide}.test.ts',
    'src/server/conversations/media/{media,forward}.test.ts',
    'src/server/conversations/messages/changes.test.ts',
    'src/server/conversations/outbox/outbox.test.ts',
    'src/server/conversations/outgoing/{start,react,undo,change-sent}.test.ts',
    'src/server/conversations/reading/{list-entries,list-snapshot,search-messages,stats}.test.ts',
    'src/server/conversations/store/{access,reads,message-place,texts}.test.ts',
    'src/server/doctor/own-tls.test.ts',
    'src/server/gateway/routes.test.ts',
    'src/server/gateway/evolution/**/*.test.ts',
    'src/server/gateway/inbox/{inbox,split-webhook}.test.ts',
    'src/server/gateway/webhook/{webhook,webhook-body}.test.ts',
    'src/server/maintenance/{archive/{tables,tar},backup/{copy-files,make},privacy/spellings}.test.ts',
    'src/server/media/file-kind.test.ts',
    'src/server/platform/{config,failpoints,log,secrets}.test.ts',
    'src/server/platform/database/{database-data,db,events}.test.ts',
    'src/server/platform/http/**/*.test.ts',
    'src/server/platform/jobs/job-schema.test.ts',
    'src/server/platform/live/{live,live-delivery,live-socket,live-upgrade,presence}.test.ts',
    'src/server/platform/work/*.test.ts',
    'src/server/reports/*.test.ts',
    'src/server/settings/{change-settings,changed-parts,working-hours}.test.ts',
    'src/server/users/permissions/permission-routes.test.ts',
    'src/server/users/profile/profile.test.ts',
    'src/server/users/accounts/account-routes.test.ts',
    'src/server/users/sign-in/{login,common-passwords}.test.ts',
  ],
  { cwd: root },
).toSorted()
