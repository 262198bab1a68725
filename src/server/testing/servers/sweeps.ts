import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import type { TestApp } from '#server/testing/test-app.ts'
import { createInboxWriter } from '#server/gateway/inbox/inbox.ts'
import { startSweep, type SweepParts } from '#server/gateway/inbox/sweep.ts'

/** Sweeps of an app that makes none itself. */
export function sweepsOf(t: TestApp) {
  /** A new instance of the program, of which only the sweep runs. */
  const instance = (
    {
      client,
      ...parts
    }: Partial<Omit<SweepParts, 'client'>> & { client?: Partial<SweepParts['client']> } = {},
    database: Database = t.database,
  ) =>
    startSweep({
      database,
      client: { ...t.app.gateway.client, ...client },
      secrets: t.app.secrets,
      inbox: createInboxWriter(database),
      log: createLog('silent'),
      ...parts,
    })
  /** Sweeps once. @returns what was found */
  const runSweep = async (client: Partial<SweepParts['client']> = {}, database?: Database) => {
    const sweep = instance({ client }, database)
    try {
      await sweep.sweep()
      // Its first pass, which it makes on its own, may have done the work.
      return sweep.found()
    } finally {
      await sweep.stop()
    }
  }
  /** All webhooks arrive, and the last sweep was so long ago. */
  const begin = async (ago: string) => {
    t.simulator.control.setFaults({ dropWebhook: { on: false } })
    await t.sql`update evolution_api_config
             set swept_until = app_now() - ${ago}::interval, looked_back_at = app_now(),
                 sweep_lease_until = null`
  }
  /** Webhooks of these events, or all, do not arrive. */
  const drop = (...events: string[]) =>
    t.simulator.control.setFaults({ dropWebhook: { on: true, oneIn: 1, events } })
  return { instance, runSweep, begin, drop }
}
