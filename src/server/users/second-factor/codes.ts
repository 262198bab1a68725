import { appNow } from '#server/platform/clock.ts'
import type { Database, Db } from '#server/platform/database/db.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { users } from '#server/schema/users.ts'
import { setRecoveryCodes, takeRecoveryCode, takeStep } from './queries.ts'
import { newRecoveryCode, plainRecoveryCode, totpStep } from './totp.ts'

type Owner = Pick<typeof users.$inferSelect, 'id' | 'totpSecretEncrypted'>

/** Checks a code of the application, and uses it up: each is good once. */
export async function takeTotpCode(
  database: Database,
  secrets: Secrets,
  { id, totpSecretEncrypted }: Owner,
  code: string,
): Promise<boolean> {
  if (totpSecretEncrypted === null || !/^\d{6}$/.test(code)) return false
  const step = totpStep(secrets.decrypt(totpSecretEncrypted), code, await appNow(database))
  return step !== undefined && takeStep(database, id, step)
}

/**
 * Checks what was typed as a second factor, and uses it up.
 * @returns undefined when it is wrong, or was used before
 */
export async function takeCode(
  database: Database,
  secrets: Secrets,
  owner: Owner,
  typed: string,
): Promise<'totp' | 'recovery' | undefined> {
  const code = typed.replace(/\s/g, '')
  if (/^\d+$/.test(code)) return (await takeTotpCode(database, secrets, owner, code)) ? 'totp' : undefined
  const isRecovery = await takeRecoveryCode(database, owner.id, hashOf(secrets, owner.id, code))
  return isRecovery ? 'recovery' : undefined
}

const codesAtOnce = 10

/** Replaces the recovery codes. @returns the new ones, which are stored as hashes only */
export async function makeRecoveryCodes(db: Db, secrets: Secrets, userId: number): Promise<string[]> {
  const codes = Array.from({ length: codesAtOnce }, newRecoveryCode)
  await setRecoveryCodes(
    db,
    userId,
    codes.map((code) => hashOf(secrets, userId, code)),
  )
  return codes
}

const hashOf = (secrets: Secrets, userId: number, code: string) =>
  secrets.fingerprint(`recovery:${userId}:${plainRecoveryCode(code)}`)
