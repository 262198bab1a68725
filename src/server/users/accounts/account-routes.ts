import {
  createUser,
  deleteUser,
  listUsers,
  toggleBlock as toggleBlockCall,
  updateUser,
} from '#shared/users/accounts.ts'
import { AppError } from '#shared/errors.ts'
import type { Role } from '#shared/permissions.ts'
import type { Config } from '#server/platform/config.ts'
import type { Http } from '#server/platform/http/http.ts'
import { listAccountRows } from './account-queries.ts'
import {
  type AccountContext,
  addAccount,
  changeAccount,
  deleteAccount,
  toggleBlock,
} from './account-changes.ts'
import { isStrictFor, isWeakPassword } from '#server/users/sign-in/password-strength.ts'
import { findUser } from '#server/users/sign-in/queries.ts'

/** The calls of the users' screen. */
export function accountRoutes(
  { route, routeByRow }: Http,
  context: AccountContext & { config: Pick<Config, 'strictPasswords'> },
): void {
  const { database, config } = context
  const refuseWeak = async (
    password: string | undefined,
    role: Role | undefined,
    known: (string | undefined)[],
  ) => {
    if (password === undefined || !isStrictFor(config, role)) return
    const knownNames = known.filter((name) => name !== undefined)
    if (await isWeakPassword(password, knownNames)) throw new AppError('users.common_password')
  }

  route(listUsers, () => listAccountRows(database))

  route(createUser, async ({ body, who }) => {
    await refuseWeak(body.password, body.role, [body.username, body.name, body.email])
    return addAccount(context, who, body)
  })

  route(updateUser, async ({ params, body, who }) => {
    const role = body.role ?? (await findUser(database, params.id))?.role
    await refuseWeak(body.password, role, [body.username, body.name, body.email])
    return changeAccount(context, who, params.id, body)
  })

  routeByRow(deleteUser, async ({ params: { id }, who, permit }) => {
    permit(id === who.id ? 'DELETE /api/users/{self}' : 'DELETE /api/users/{other}')
    await deleteAccount(context, who, id)
    return undefined
  })

  routeByRow(toggleBlockCall, ({ params: { id }, who, permit }) => {
    permit(id === who.id ? 'POST /api/users/{self}/toggle-block' : 'POST /api/users/{other}/toggle-block')
    return toggleBlock(context, who, id)
  })
}
