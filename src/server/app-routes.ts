import type { AppOptions } from './app-options.ts'
import type { AppParts } from './app-parts.ts'
import {
  createSendReceipt,
  freeConversations,
  leaveSector,
  notifyContactsChanged,
  openUnasked,
  type createTyping,
} from './conversations/conversations.ts'
import { sendApart } from './gateway/send-apart.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { JobQueue } from './platform/jobs/job-queue.ts'
import { restartInactivity, takeNumbers } from './gateway/gateway.ts'
import { dropOwnReplies, forgetGeneral, ownNamedFiles } from './quick-replies/quick-replies.ts'
import { routes } from './rooms/routes.ts'
import type { SectorRow } from './sectors/sectors.ts'
import { changeSettingsIn } from './settings/change-settings.ts'
import { changesClosing, getSettings } from './settings/settings.ts'
import { dropOwnMacros } from './macros/macros.ts'
import { dropOwnViews } from './views/views.ts'

/** What the calls use of the program, beside what was opened for it. */
export interface RoutesGiven {
  typing: ReturnType<typeof createTyping>
  /** undefined while the app starts, and where no long jobs run. */
  queue: () => JobQueue | undefined
  /** The place in the event log up to which the sockets of this process are. */
  livePosition: () => { epoch: string; cursor: string }
}

/**
 * Registers every call. Each room takes of what is given what it needs; what a later room does for an earlier
 * one is given as a function.
 */
export function registerRoutes(
  http: Http,
  { config, database, log, measureDisk }: AppOptions,
  parts: AppParts,
  { typing, queue, livePosition }: RoutesGiven,
): void {
  const { gateway, maintenance } = parts
  const given = {
    ...parts,
    config,
    database,
    log,
    queue,
    livePosition,
    client: gateway.client,
    sendReceipt: createSendReceipt({ database, gateway, log }),
    maintenanceJob: maintenance,
    measure: measureDisk,
    timezone: async () => (await getSettings(database)).timezone,
    freeConversations,
    dropOwn: async (db: Tx, userId: number) => {
      await dropOwnViews(db, userId)
      await dropOwnReplies(db, userId)
      await dropOwnMacros(db, userId)
    },
    changeSettings: changeSettingsIn,
    onSettingsChange: async (db: Tx, settings: SystemSettings, before: SystemSettings) => {
      await ownNamedFiles(db)
      await forgetGeneral(db)
      await openUnasked(db)
      if (changesClosing(before, settings)) await restartInactivity(db)
    },
    onNumberSettings: openUnasked,
    onMenuChange: openUnasked,
    leaveSector,
    takeNumbers,
    onSectorSettings: async (db: Tx, before: SectorRow, after: SectorRow) => {
      const settings = await getSettings(db)
      const [was, is] = [before, after].map((row) => ({ ...settings, ...row.ownSettings }))
      if (was && is && changesClosing(was, is)) await restartInactivity(db)
    },
    onChanged: notifyContactsChanged,
    onTyping: typing.receive,
    sendApart: (to: Parameters<typeof sendApart>[2]) => sendApart(database, gateway, to),
  }
  for (const register of routes) register(http, given)
}
