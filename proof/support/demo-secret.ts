import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Config } from '#server/platform/config.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import { openSecrets } from '#server/platform/secrets.ts'

/**
 * The number of a demonstration, the secret of its webhook and the gateway's key, as soon as it has
 * registered one.
 * @throws Error after ten seconds without
 */
export async function secretOf(
  database: Database,
  config: Config,
): Promise<{ instance: string; secret: string; key: string }> {
  for (let n = 0; n < 100; n++) {
    const [row] = await rows<{ instance: string; sealed: string | null; sealedKey: string }>(
      database,
      sql`select instance_name as instance, webhook_secret_encrypted as sealed,
                 api_key_encrypted as "sealedKey"
            from evolution_api_config limit 1`,
    )
    if (row?.sealed) {
      const { decrypt } = openSecrets(config.secretKey, config.dataDir)
      return { instance: row.instance, secret: decrypt(row.sealed), key: decrypt(row.sealedKey) }
    }
    await sleep(100)
  }
  throw new Error('the demonstration did not register its webhook')
}
