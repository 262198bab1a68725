import { eq } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { getPhonesSetting, type PhonesSetting, savePhonesSetting } from '#shared/users/phones-setting.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import { differences } from '#server/platform/database/changes.ts'
import { confirmRights } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import { users } from '#server/schema/users.ts'
import { lockAccount } from '#server/users/accounts/account-queries.ts'
import { findUser, type UserRow } from '#server/users/sign-in/queries.ts'

/** The calls about from whom clients' telephone numbers are hidden. */
export function phonesRoutes({ route }: Http, { database }: { database: Database }): void {
  route(getPhonesSetting, async ({ params: { userId } }) => {
    const account = await findUser(database, userId)
    if (!account) throw new AppError('users.not_found')
    return settingOf(account)
  })

  route(savePhonesSetting, ({ who, params: { userId }, body: { hidesPhones, revealsPhones } }) =>
    inTransaction(database, async (db) => {
      const account = await lockAccount(db, userId)
      await confirmRights(who, db)
      if (!account) throw new AppError('users.not_found')
      if (account.role === 'admin') throw new AppError('permissions.of_admin')
      const wanted = { hidesPhones, revealsPhones: hidesPhones && revealsPhones }
      const changed = differences(account, wanted)
      const names = (['hidesPhones', 'revealsPhones'] as const).filter((name) => changed[name] !== undefined)
      if (names.length === 0) return settingOf(account)
      await db.update(users).set(wanted).where(eq(users.id, userId))
      db.emit({ type: 'permissions_changed', userId })
      db.emit({ type: 'account_changed', userId })
      const changes = Object.fromEntries(names.map((name) => [name, [account[name], wanted[name]]]))
      await record(db, who, { action: 'permissions.phones', resourceId: userId, details: { changes } })
      return settingOf({ ...account, ...wanted })
    }),
  )
}

/** From administrators nothing is hidden. */
const settingOf = ({
  id,
  role,
  ...account
}: Pick<UserRow, 'id' | 'role' | (keyof PhonesSetting & keyof UserRow)>) => {
  const hidesPhones = role !== 'admin' && account.hidesPhones
  return { userId: id, hidesPhones, revealsPhones: hidesPhones && account.revealsPhones }
}
