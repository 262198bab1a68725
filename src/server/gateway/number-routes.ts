import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import {
  deleteNumber,
  listManagedNumbers,
  type ManagedNumber,
  saveNumberSettings,
} from '#shared/gateway/gateway.ts'
import { listGivenNumbers } from '#shared/gateway/given-numbers.ts'
import type { NumberSettings, NumberSettingsChange } from '#shared/settings/own-settings.ts'
import { neverOpens } from '#shared/settings/working-hours.ts'
import { changesClosing, settingsOfNumber } from '#server/settings/settings.ts'
import { record } from '#server/audit/audit.ts'
import { appNow } from '#server/platform/clock.ts'
import { type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import { confirmRights } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import { restartInactivity } from '#server/gateway/instances/inactivity.ts'
import {
  type ConfigRow,
  countOpen,
  listConfigs,
  lockConfig,
  noLinking,
  updateConfig,
  whatIsOpen,
} from '#server/gateway/instances/queries.ts'
import { listGiven, toGiven, toWire } from '#server/gateway/instances/numbers.ts'
import type { GatewayRoutes } from '#server/gateway/webhook/webhook-route.ts'

/** The calls about several numbers: which there are, what is their own, and that one is no longer wanted. */
export function numberRoutes(
  http: Http,
  { database, onNumberSettings }: Pick<GatewayRoutes, 'database' | 'onNumberSettings'>,
): void {
  http.route(listManagedNumbers, async () => {
    const open = await countOpen(database)
    return (await listConfigs(database)).map((config) => toManaged(config, open.get(config.id)))
  })

  http.route(listGivenNumbers, async ({ who }) => (await listGiven(database, who)).map(toGiven))

  http.route(saveNumberSettings, async ({ params: { id }, body: { version: seen, ...wanted }, who }) =>
    inTransaction(database, async (db) => {
      const before = await lockConfig(db, id)
      await confirmRights(who, db)
      if (!before) throw new AppError('gateway.not_found')
      const own = ownAfter(before.ownSettings, wanted)
      const changes = changesOf(before.ownSettings, own)
      const names = Object.keys(changes)
      if (names.length === 0) return managed(db, before)
      const other = seen === undefined ? undefined : await whoChanged(db, id, names, seen)
      if (other !== undefined) throw new AppError('settings.changed', { values: { name: other } })
      const settingsBefore = await settingsOfNumber(db, id)
      const version = before.ownVersion + 1
      const config = await updateConfig(db, id, { ownSettings: own, ownVersion: version })
      const settings = await settingsOfNumber(db, id)
      const isOfHours = 'workingHours' in changes || 'lunchBreak' in changes
      if (isOfHours && neverOpens(settings)) throw new AppError('settings.never_opens')
      if (!config) throw new AppError('gateway.not_found')
      const { instanceName } = config
      await record(db, who, {
        action: 'gateway.settings',
        resourceId: id,
        details: { instanceName, version, names, changes },
      })
      db.emit({ type: 'settings_changed' })
      await onNumberSettings(db)
      if (changesClosing(settingsBefore, settings)) await restartInactivity(db, id)
      return managed(db, config)
    }),
  )

  http.route(deleteNumber, async ({ params: { id }, who }) => {
    await inTransaction(database, async (db) => {
      // Whoever begins a conversation at the number waits for this lock, by its foreign key.
      const config = await lockConfig(db, id)
      await confirmRights(who, db)
      if (!config) throw new AppError('gateway.not_found')
      if (config.isActive && config.status === 'open') throw new AppError('gateway.connected')
      const open = await whatIsOpen(db, id)
      if (open.conversations > 0)
        throw new AppError('gateway.has_open', { values: { count: String(open.conversations) } })
      if (open.isUnsent) throw new AppError('gateway.has_unsent')
      await updateConfig(db, id, {
        ...noLinking,
        isActive: false,
        ownSettings: {},
        apiKeyEncrypted: '',
        apiKeyHint: '',
        webhookSecretEncrypted: null,
        webhookSecretBeforeEncrypted: null,
        webhookSecretPendingEncrypted: null,
        instanceTokenEncrypted: null,
        deletedAt: await appNow(db),
      })
      const { instanceName } = config
      await record(db, who, { action: 'gateway.delete', resourceId: id, details: { instanceName } })
      db.emit({ type: 'gateway_state' })
      db.signal('gateway')
    })
    return undefined
  })
}

const managed = async (db: Db, config: ConfigRow) => toManaged(config, (await countOpen(db)).get(config.id))

const toManaged = (config: ConfigRow, openConversations = 0): ManagedNumber => ({
  ...toWire(config),
  ownerJid: config.ownerJid,
  profileName: config.profileName,
  openConversations,
  own: config.ownSettings,
  ownVersion: config.ownVersion,
})

/** Absent: as before; null: no longer its own. */
function ownAfter(before: Partial<NumberSettings>, wanted: NumberSettingsChange): Partial<NumberSettings> {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(given) }).filter(([, value]) => value !== null),
  )
}

/** The last person who changed one of these settings of a number after a version. */
async function whoChanged(db: Db, id: number, names: string[], seen: number): Promise<string | undefined> {
  const [found] = await rows<{ name: string }>(
    db,
    sql`select coalesce(u.name, '') as name from audit_logs a left join users u on u.id = a.user_id
         where a.resource_type = 'gateway' and a.resource_id = ${String(id)} and a.action = 'gateway.settings'
           and (a.details ->> 'version')::int > ${seen}
           and a.details -> 'names' ?| ${sql.param(names)}::text[]
         order by a.created_at desc, a.id desc limit 1`,
  )
  return found?.name
}

/** Before and after of each that is not the same; null: that of the installation. */
function changesOf(before: Partial<NumberSettings>, after: Partial<NumberSettings>) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof NumberSettings>
  return Object.fromEntries(
    [...names]
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, [before[name] ?? null, after[name] ?? null]] as const),
  )
}
