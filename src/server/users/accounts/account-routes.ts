import {
  createUser,
  deleteUser,
  listUsers,
  toggleBlock as toggleBlockCall,
  updateUser,
} from '#shared/accounts.ts'
import { AppError } from '#shared/errors.ts'
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
import { isCommonPassword } from '#server/users/sign-in/common-passwords.ts'

/** The calls of the users' screen. */
export function accountRoutes(
  { route }: Http,
  context: AccountContext & { config: Pick<Config, 'isPasswordStrict'> },
): void {
  const { database, config } = context
  const refuseCommon = (password: string | undefined, known: (string | undefined)[]) => {
    if (password === undefined || !config.isPasswordStrict) return
    if (
      isCommonPassword(
        password,
        known.filter((name) => name !== undefined),
      )
    )
      throw new AppError('users.common_password')
  }

  route(listUsers, ['canViewUsers'], () => listAccountRows(database))

  route(createUser, ['canCreateUsers'], ({ body, who }) => {
    refuseCommon(body.password, [body.username, body.name, body.email])
    return addAccount(context, who, body)
  })

  route(updateUser, ['canEditUsers'], ({ params, body, who }) => {
    refuseCommon(body.password, [body.username, body.name, body.email])
    return changeAccount(context, who, params.id, body)
  })

  route(
    deleteUser,
    { 'DELETE /api/users/{other}': ['canDeleteUsers'], 'DELETE /api/users/{self}': [] },
    async ({ params: { id }, who, permit }) => {
      permit(id === who.id ? 'DELETE /api/users/{self}' : 'DELETE /api/users/{other}')
      await deleteAccount(context, who, id)
      return undefined
    },
  )

  route(
    toggleBlockCall,
    {
      'POST /api/users/{other}/toggle-block': ['canEditUsers'],
      'POST /api/users/{self}/toggle-block': [],
    },
    ({ params: { id }, who, permit }) => {
      permit(id === who.id ? 'POST /api/users/{self}/toggle-block' : 'POST /api/users/{other}/toggle-block')
      return toggleBlock(context, who, id)
    },
  )
}
