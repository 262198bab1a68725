import { appNow } from '#server/platform/clock.ts'
import type { Database, Db } from '#server/platform/database/db.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { users } from '#server/schema/users.ts'
import { isJustUsed, isLastStep, setRecoveryCodes, takeRecoveryCode, takeStep } from './queries.ts'
import { newRecoveryCode, plainRecoveryCode, totpStep } from './totp.ts'

type Owner = Pick<typeof users.$inferSelect, 'id' | 'totpSecretEncrypted'>

/**
 * 'right' uses a code up; 'repeated' is one that was used a moment ago, as when a form is sent twice. It lets
 * nobody in, and is no guess either, since whoever sends it knew it.
 */
export type Judged = 'right' | 'repeated' | 'wrong'

/** Checks a code of the application, and uses it up: each is good once. */
export async function takeTotpCode(
  database: Database,
  secrets: Secrets,
  { id, totpSecretEncrypted }: Owner,
  code: string,
): Promise<Judged> {
  if (totpSecretEncrypted === null || !/^\d{6}$/.test(code)) return 'wrong'
  const step = totpStep(secrets.decrypt(totpSecretEncrypted), code, await appNow(database))
  if (step === undefined) return 'wrong'
  if (await takeStep(database, id, step)) return 'right'
  return (await isLastStep(database, id, step)) ? 'repeated' : 'wrong'
}

/** Checks what was typed as a second factor, of the application or a recovery code, and uses it up. */
export async function takeCode(
  database: Database,
  secrets: Secrets,
  owner: Owner,
  typed: string,
): Promise<Judged> {
  const code = typed.replace(/\s/g, '')
  if (/^\d{6}$/.test(code)) return takeTotpCode(database, secrets, owner, code)
  const hash = hashOf(secrets, owner.id, code)
  if (await takeRecoveryCode(database, owner.id, hash)) return 'right'
  return (await isJustUsed(database, owner.id, hash)) ? 'repeated' : 'wrong'
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
