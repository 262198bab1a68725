import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '#server/platform/database/db.ts'
import type { Rights } from '#server/platform/http/reach.ts'
import { files } from '#server/schema/media.ts'
import { sectorsOfUser } from '#server/schema/sectors/sectors.ts'
import { userPermissions, users } from '#server/schema/users.ts'
import { effectiveFlags } from '#server/users/sign-in/effective-flags.ts'
import { numbersOf, scopeOf } from '#server/users/sign-in/sessions.ts'

/** Somebody who may sign in, with their rights as a session would have them. */
type Person = Rights & { name: string; picture: string | null; hidesPhones: boolean }

/** Everybody who may sign in, or those of these ids, by their ids' order. */
export async function listPeople(db: Db, ids?: readonly number[]): Promise<Person[]> {
  if (ids?.length === 0) return []
  const found = await db
    .select({
      id: users.id,
      name: users.name,
      role: users.role,
      record: userPermissions.flags,
      numberIds: users.numberIds,
      sectors: sectorsOfUser(users.id),
      scope: users.scope,
      picture: files.name,
      hidesPhones: users.hidesPhones,
    })
    .from(users)
    .leftJoin(userPermissions, eq(userPermissions.userId, users.id))
    .leftJoin(files, eq(files.userId, users.id))
    .where(
      and(
        ids && inArray(users.id, [...ids]),
        eq(users.isActive, true),
        eq(users.isBlocked, false),
        isNull(users.deletedAt),
      ),
    )
    .orderBy(users.id)
  return found.map(({ record, ...row }) => ({
    ...row,
    flags: effectiveFlags(row.role, record),
    numberIds: numbersOf(row),
    scope: scopeOf(row),
    hidesPhones: row.role !== 'admin' && row.hidesPhones,
  }))
}
