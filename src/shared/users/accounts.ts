import * as z from 'zod/mini'
import { listing } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { roles } from '#shared/permissions.ts'
import { id, idParam, instant } from './users.ts'

/** An account as administrators see it; never with its password. */
export const account = z.object({
  id,
  username: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** An inactive account does not exist for the login. */
  isActive: z.boolean(),
  /** By an administrator. */
  isBlocked: z.boolean(),
  /** Three wrong passwords: new logins are refused, sessions go on. */
  isLoginLocked: z.boolean(),
  failedLoginAttempts: z.int(),
  /** When the lock of an administrator ends; null if it does not, or is over. */
  lockedUntil: z.nullable(instant),
  lastLoginAt: z.nullable(instant),
  /** To the minute; null: never, or in no session that is still kept, which are those of the last month. */
  lastSeenAt: z.nullable(instant),
  hasSecondFactor: z.boolean(),
  /** The password was chosen by somebody else, and not used yet. */
  mustChangePassword: z.boolean(),
  /** The numbers that were given to the person; null: all. Administrators have all, whatever is stored. */
  numberIds: z.nullable(z.array(id)),
  pictureUrl: z.nullable(z.string()),
  activeConversations: z.int(),
  completedConversations: z.int(),
  createdAt: instant,
  updatedAt: instant,
})
export type Account = z.infer<typeof account>

/** Any text of one line: what is shown in a row, and sent by the login form. */
export const line = (label: string, longest: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(longest, `${label} deve ter no máximo ${longest} caracteres`),
      z.regex(/^\P{Cc}*$/u, `${label}: há um caractere inválido`),
    )

/** The rules of an account's fields, also for the command line. @see specification §5 user form */
export const accountFields = {
  username: line('Username', 200).check(z.minLength(3, 'Username deve ter pelo menos 3 caracteres')),
  name: line('Nome', 200).check(z.minLength(1, 'Nome é obrigatório')),
  email: z.email('Email inválido').check(z.maxLength(254, 'Email inválido')),
  password: z.string().check(
    z.minLength(6, 'Senha deve ter pelo menos 6 caracteres'),
    z.maxLength(1024, 'Senha deve ter no máximo 1024 caracteres'),
    z.regex(/^\P{Cc}*$/u, 'Senha: há um caractere inválido'),
    z.refine((value) => value.trim() !== '', 'Senha não pode ter só espaços'),
  ),
  role: z.enum(roles),
} as const

export const accountForm = z.object(accountFields)
export type AccountForm = z.infer<typeof accountForm>

/** Some numbers, or null for all. */
export const givenNumberIds = z.nullable(z.array(id).check(z.maxLength(100)))

const accountBody = z.strictObject({
  ...accountFields,
  role: z._default(z.enum(roles), 'operator'),
  isActive: z._default(z.boolean(), true),
  numberIds: z._default(givenNumberIds, null),
})
const accountChange = z.strictObject({
  username: z.optional(accountFields.username),
  name: z.optional(accountFields.name),
  email: z.optional(accountFields.email),
  password: z.optional(accountFields.password),
  role: z.optional(accountFields.role),
  isActive: z.optional(z.boolean()),
  numberIds: z.optional(givenNumberIds),
})
export type AccountChange = z.infer<typeof accountChange>

const params = z.object({ id: idParam })

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/users',
  summary: 'Todas as contas, por nome',
  act: 'viewUsers',
  audit: listing,
  reply: z.array(account),
})

export const createUser = endpoint({
  method: 'POST',
  path: '/api/users',
  summary: 'Criar uma conta',
  act: 'createUser',
  audit: 'user.create',
  isSensitive: true,
  body: accountBody,
  reply: account,
  status: 201,
})

export const updateUser = endpoint({
  method: 'PUT',
  path: '/api/users/:id',
  summary: 'Mudar uma conta; outro perfil, outra senha ou a desativação encerram as sessões dela',
  act: 'editUser',
  audit: 'user.update',
  ids: { id: 'user' },
  params,
  // Who may get a new password, who may sign in, and what they see.
  isSensitive: ['role', 'password', 'email', 'isActive', 'numberIds'],
  body: accountChange,
  reply: account,
})

/** What nobody may do to themselves. */
const nobodys = {
  needs: [],
  roles: [],
  audit: { not: 'never succeeds; a refusal is recorded as access.denied' },
} as const

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/users/:id',
  summary: 'Excluir uma conta; as conversas dela voltam à fila',
  rows: {
    'DELETE /api/users/{other}': { act: 'deleteUser', audit: 'user.delete' },
    'DELETE /api/users/{self}': nobodys,
  },
  ids: { id: 'user' },
  params,
  isSensitive: true,
})

export const toggleBlock = endpoint({
  method: 'POST',
  path: '/api/users/:id/toggle-block',
  summary: 'Bloquear ou desbloquear uma conta; as conversas de quem é bloqueado voltam à fila',
  rows: {
    'POST /api/users/{other}/toggle-block': { act: 'editUser', audit: 'user.block' },
    'POST /api/users/{self}/toggle-block': nobodys,
  },
  ids: { id: 'user' },
  params,
  isSensitive: true,
  reply: account,
})
