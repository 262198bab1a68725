import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import type { Scope } from '#shared/users/scope.ts'
import { getUserScope, saveUserScope, type UserScope } from '#shared/users/user-scope.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import { confirmRights } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import { isInReach, isOfQueueOf, reachColumns, type Reader } from '#server/platform/http/reach.ts'
import { sectorsOfUser } from '#server/schema/sectors/sectors.ts'
import { users } from '#server/schema/users.ts'
import { lockAccount } from '#server/users/accounts/account-queries.ts'
import { scopeOf, scopesOffered } from '#server/users/sign-in/sessions.ts'

/** The calls about which conversations a person knows of. */
export function scopeRoutes({ route }: Http, { database }: { database: Database }): void {
  route(getUserScope, ({ params: { userId } }) => readScope(database, userId))

  route(saveUserScope, ({ who, params: { userId }, body: { scope } }) =>
    inTransaction(database, async (db) => {
      const account = await lockAccount(db, userId)
      await confirmRights(who, db)
      if (!account) throw new AppError('users.not_found')
      if (account.role === 'admin') throw new AppError('permissions.of_admin')
      const before = await readScope(db, userId)
      if (!before.offered.includes(scope)) throw new AppError('permissions.scope_of_role')
      if (before.scope === scope) return before
      await db.update(users).set({ scope }).where(eq(users.id, userId))
      db.emit({ type: 'permissions_changed', userId })
      db.emit({ type: 'account_changed', userId })
      const changes = { scope: [before.scope, scope] } as const
      await record(db, who, { action: 'permissions.scope', resourceId: userId, details: { changes } })
      return readScope(db, userId)
    }),
  )
}

/** @throws AppError 404 */
async function readScope(db: Db, userId: number): Promise<UserScope> {
  const [found] = await db
    .select({
      role: users.role,
      scope: users.scope,
      numberIds: users.numberIds,
      // By its whole name: a column of a query of one table has none, and would be one of the rows inside.
      sectors: sectorsOfUser(sql`users.id`),
    })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
  if (!found) throw new AppError('users.not_found')
  const numberIds = found.role === 'admin' ? null : found.numberIds
  const readerWith = (scope: Scope): Reader => ({ id: userId, numberIds, sectors: found.sectors, scope })
  const columns = reachColumns('v')
  const count = (condition: SQL | undefined) => sql`count(*) filter (where ${condition ?? sql`true`})::int`
  const own = readerWith('own')
  const isCard = sql`v.sub_status = 'FILA' and v.waiting_for = 'operator' and v.sector_id is not null
    and ${isOfQueueOf(own, columns) ?? sql`true`} and (${isInReach(own, columns) ?? sql`true`}) is not true`
  const [open] = await rows<UserScope['open']>(
    db,
    sql`select ${count(isInReach(own, columns))} as own,
               ${count(isInReach(readerWith('sector'), columns))} as sector,
               ${count(isInReach(readerWith('all'), columns))} as all,
               ${count(isCard)} as cards, count(*)::int as total
          from conversations v where v.status <> 'completed'`,
  )
  if (!open) throw new Error('conversations were not counted')
  const living = await rows<UserScope['sectors'][number]>(
    db,
    sql`select id, name, color from sectors where deleted_at is null order by place, id`,
  )
  const inThese = new Set(found.sectors.map(({ id }) => id))
  return {
    scope: scopeOf(found),
    offered: [...scopesOffered(found)],
    sectors: living.filter(({ id }) => inThese.has(id)),
    areSectors: living.length > 0,
    open,
  }
}
