import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Changes } from '#shared/text/audit/telling.ts'
import { AppError } from '#shared/errors.ts'
import { type Flag, flags as flagNames, type Flags } from '#shared/permissions.ts'
import {
  createUserPermission,
  listUserPermissions,
  type UserPermission,
  updateUserPermission,
} from '#shared/users/user-permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, type Db, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import { sectorsOfUser } from '#server/schema/sectors/sectors.ts'
import { userPermissions, users } from '#server/schema/users.ts'
import { lockAccount } from '#server/users/accounts/account-queries.ts'
import { effectiveFlags } from '#server/users/sign-in/effective-flags.ts'
import { scopeOf } from '#server/users/sign-in/sessions.ts'

type SomeFlags = { [Name in Flag]?: boolean | undefined }

const ofSelf = 'GET /api/user-permissions (own)'
const ofAll = 'GET /api/user-permissions (all)'

/** The calls of the permissions' screen. */
export function permissionRoutes({ route, routeByRow }: Http, { database }: { database: Database }): void {
  routeByRow(listUserPermissions, ({ who, permit, isPermitted }) => {
    const row = isPermitted(ofAll) ? ofAll : ofSelf
    permit(row)
    return listPermissions(database, row === ofAll ? undefined : who.id)
  })

  route(createUserPermission, ({ who, body: { userId, flags } }) =>
    changeFlags(database, who, userId, flags, 'create'),
  )

  route(updateUserPermission, ({ who, params: { userId }, body }) =>
    changeFlags(database, who, userId, body, 'update'),
  )
}

/** @param userId only this person's */
async function listPermissions(db: Db, userId?: number): Promise<UserPermission[]> {
  const found = await db
    .select({
      userId: users.id,
      role: users.role,
      record: userPermissions.flags,
      createdAt: userPermissions.createdAt,
      scope: users.scope,
      sectors: sectorsOfUser(users.id),
      hidesPhones: users.hidesPhones,
    })
    .from(users)
    .leftJoin(userPermissions, eq(userPermissions.userId, users.id))
    .where(and(isNull(users.deletedAt), userId === undefined ? undefined : eq(users.id, userId)))
    .orderBy(asc(users.id))
  return found.map(({ createdAt, record: custom, ...row }) => ({
    userId: row.userId,
    createdAt: createdAt?.toISOString() ?? null,
    flags: effectiveFlags(row.role, custom),
    scope: scopeOf(row),
    // From administrators nothing is hidden.
    hidesPhones: row.role !== 'admin' && row.hidesPhones,
    isLead: row.sectors.some(({ isLead }) => isLead),
  }))
}

/**
 * Writes the record of a person. What is not given stays as it is, or as the role has it.
 * @throws AppError 404 no such person, 409 an administrator, or a record that exists already
 */
function changeFlags(
  database: Database,
  who: Who,
  userId: number,
  given: SomeFlags,
  how: 'create' | 'update',
): Promise<UserPermission> {
  return inTransaction(database, async (db) => {
    const account = await lockAccount(db, userId)
    await confirmRights(who, db)
    if (!account) throw new AppError('users.not_found')
    const { role } = account
    if (role === 'admin') throw new AppError('permissions.of_admin')
    const [stored] = await db.select().from(userPermissions).where(eq(userPermissions.userId, userId))
    if (stored && how === 'create') throw new AppError('permissions.exists')
    const before: Flags = { ...defaultFlags(role), ...stored?.flags }
    const after: Flags = { ...before, ...definedOf(given), canViewTrackingMessages: false }
    await writeFlags(db, userId, after)
    db.emit({ type: 'permissions_changed', userId })
    const changes = changesOf(effectiveFlags(role, before), effectiveFlags(role, after))
    await record(db, who, { action: 'permissions.update', resourceId: userId, details: { changes } })
    const [saved] = await listPermissions(db, userId)
    if (!saved) throw new Error('permissions not written')
    return saved
  })
}

async function writeFlags(db: Tx, userId: number, flags: Flags): Promise<void> {
  await db
    .insert(userPermissions)
    .values({ userId, flags })
    .onConflictDoUpdate({ target: userPermissions.userId, set: { flags, updatedAt: sql`app_now()` } })
}

const definedOf = (given: SomeFlags): Partial<Flags> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

/** The flags whose value is another than before. */
const changesOf = (before: Flags, after: Flags): Changes<Flag> =>
  Object.fromEntries(
    flagNames
      .filter((flag) => before[flag] !== after[flag])
      .map((flag) => [flag, [before[flag], after[flag]]]),
  )
