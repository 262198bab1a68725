import { and, asc, count, eq, isNotNull, isNull, lt, notInArray, or, sql } from 'drizzle-orm'
import type { Role } from '#shared/permissions.ts'
import type { Db } from '#server/platform/database/db.ts'
import { recoveryCodes, secondFactorDuties, sessions, trustedDevices, users } from '#server/schema/users.ts'

/** Marks a step as used. @returns false when it, or a later one, was used before */
export async function takeStep(db: Db, userId: number, step: number): Promise<boolean> {
  const taken = await db
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, userId), or(isNull(users.totpLastStep), lt(users.totpLastStep, step))))
    .returning({ id: users.id })
  return taken.length > 0
}

/** Whether this step is the last that was used. */
export async function isLastStep(db: Db, userId: number, step: number): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.totpLastStep, step)))
  return found.length > 0
}

/** Whether a recovery code was used within the last minute. */
export async function isJustUsed(db: Db, userId: number, codeHash: string): Promise<boolean> {
  const found = await db
    .select({ id: recoveryCodes.id })
    .from(recoveryCodes)
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, codeHash),
        sql`${recoveryCodes.usedAt} > app_now() - interval '1 minute'`,
      ),
    )
  return found.length > 0
}

/** Marks a recovery code as used. @returns false for one that is unknown or used */
export async function takeRecoveryCode(db: Db, userId: number, codeHash: string): Promise<boolean> {
  const taken = await db
    .update(recoveryCodes)
    .set({ usedAt: sql`app_now()` })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, codeHash),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id })
  return taken.length > 0
}

/** Replaces all recovery codes of the person. */
export async function setRecoveryCodes(db: Db, userId: number, codeHashes: string[]): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  if (codeHashes.length > 0)
    await db.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash })))
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const [row] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return row?.left ?? 0
}

/** Stores a secret that no code has confirmed yet; it changes nothing at the sign-in. */
export async function setUnconfirmedSecret(db: Db, userId: number, encrypted: string): Promise<void> {
  await db
    .update(users)
    .set({ totpSecretEncrypted: encrypted, totpLastStep: null })
    .where(and(eq(users.id, userId), isNull(users.totpConfirmedAt)))
}

/** Switches the second factor on. @returns false when it was on before, or has another secret by now */
export async function confirmSecret(db: Db, userId: number, encrypted: string): Promise<boolean> {
  const confirmed = await db
    .update(users)
    .set({ totpConfirmedAt: sql`app_now()`, updatedAt: sql`app_now()` })
    .where(
      and(
        eq(users.id, userId),
        isNull(users.totpConfirmedAt),
        // Another tab may have begun anew since the code was checked.
        eq(users.totpSecretEncrypted, encrypted),
      ),
    )
    .returning({ id: users.id })
  return confirmed.length > 0
}

/** Removes the second factor with its codes and trusted devices. @returns false when there was none */
export async function removeSecondFactor(db: Db, userId: number): Promise<boolean> {
  const removed = await db
    .update(users)
    .set({ totpSecretEncrypted: null, totpConfirmedAt: null, totpLastStep: null, updatedAt: sql`app_now()` })
    .where(and(eq(users.id, userId), isNotNull(users.totpConfirmedAt)))
    .returning({ id: users.id })
  await setRecoveryCodes(db, userId, [])
  await forgetDevices(db, userId)
  return removed.length > 0
}

export const trustedDays = 30

export async function trustDevice(db: Db, userId: number, tokenHash: string): Promise<void> {
  await db.insert(trustedDevices).values({ userId, tokenHash })
}

export async function isTrustedDevice(db: Db, userId: number, tokenHash: string): Promise<boolean> {
  const found = await db
    .select({ id: trustedDevices.id })
    .from(trustedDevices)
    .where(
      and(
        eq(trustedDevices.userId, userId),
        eq(trustedDevices.tokenHash, tokenHash),
        sql`${trustedDevices.createdAt} > app_now() - ${trustedDays} * interval '1 day'`,
      ),
    )
  return found.length > 0
}

export async function forgetDevices(db: Db, userId: number): Promise<void> {
  await db.delete(trustedDevices).where(eq(trustedDevices.userId, userId))
}

export async function trimTrustedDevices(db: Db): Promise<void> {
  await db
    .delete(trustedDevices)
    .where(sql`${trustedDevices.createdAt} <= app_now() - ${trustedDays} * interval '1 day'`)
}

/** The roles that must have a second factor, at once or from a later day on. */
export async function listDuties(db: Db): Promise<Role[]> {
  const found = await db
    .select({ role: secondFactorDuties.role })
    .from(secondFactorDuties)
    .orderBy(asc(secondFactorDuties.role))
  return found.map(({ role }) => role)
}

/** Whether the role must have a second factor by now. */
export async function isDutyOf(db: Db, role: Role): Promise<boolean> {
  const found = await db
    .select({ role: secondFactorDuties.role })
    .from(secondFactorDuties)
    .where(and(eq(secondFactorDuties.role, role), sql`${secondFactorDuties.createdAt} <= app_now()`))
  return found.length > 0
}

/** What is a duty already stays as it is. */
export async function setDuties(db: Db, roles: readonly Role[]): Promise<void> {
  await db.delete(secondFactorDuties).where(notInArray(secondFactorDuties.role, [...roles]))
  if (roles.length > 0)
    await db
      .insert(secondFactorDuties)
      .values(roles.map((role) => ({ role })))
      .onConflictDoNothing()
}

/** The duty of administrators in a new installation: time enough to set everything up. */
export async function setFirstDuty(db: Db): Promise<void> {
  await db
    .insert(secondFactorDuties)
    .values({ role: 'admin', createdAt: sql`app_now() + interval '7 days'` })
    .onConflictDoNothing()
}

/** Notes that the person of the session has just given the password or a code. */
export async function markConfirmed(db: Db, sessionId: number): Promise<void> {
  await db
    .update(sessions)
    .set({ confirmedAt: sql`app_now()` })
    .where(eq(sessions.id, sessionId))
}
