import * as z from 'zod/mini'
import { listing, ownState } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { flags, flagsSchema } from '#shared/permissions.ts'
import { scopes } from './scope.ts'
import { id, idParam, instant } from './users.ts'

/** What a person may do now: the record that was made for the person, or else the defaults of the role. */
export const userPermission = z.object({
  userId: id,
  /** When the record was made ('Personalizado'); null for the defaults of the role ('Padrão'). */
  createdAt: z.nullable(instant),
  flags: flagsSchema,
  /** Of which conversations they know. */
  scope: z.enum(scopes),
  /** Whether clients' telephone numbers are hidden from them. */
  hidesPhones: z.boolean(),
  /** Whether they lead a sector, and may what its leads may. */
  isLead: z.boolean(),
})
export type UserPermission = z.infer<typeof userPermission>

/** Some of the flags. */
export const someFlags = z.strictObject(
  Object.fromEntries(flags.map((flag) => [flag, z.optional(z.boolean())])) as Record<
    (typeof flags)[number],
    z.ZodMiniOptional<z.ZodMiniBoolean>
  >,
)

export const listUserPermissions = endpoint({
  method: 'GET',
  path: '/api/user-permissions',
  summary: 'As permissões de todos; sem canManagePermissions, só as próprias',
  rows: {
    'GET /api/user-permissions (own)': { needs: [], audit: ownState },
    'GET /api/user-permissions (all)': { act: 'managePermissions', audit: listing },
  },
  reply: z.array(userPermission),
})

export const createUserPermission = endpoint({
  method: 'POST',
  path: '/api/user-permissions',
  summary: 'Personalizar as permissões de alguém; as que faltam são as do perfil',
  act: 'managePermissions',
  audit: 'permissions.update',
  body: z.strictObject({ userId: id, flags: someFlags }),
  isSensitive: true,
  reply: userPermission,
  status: 201,
})

export const updateUserPermission = endpoint({
  method: 'PUT',
  path: '/api/user-permissions/:userId',
  summary: 'Mudar permissões de alguém; as que faltam ficam como estão',
  act: 'managePermissions',
  audit: 'permissions.update',
  ids: { userId: 'user' },
  params: z.object({ userId: idParam }),
  body: someFlags,
  isSensitive: true,
  reply: userPermission,
})
