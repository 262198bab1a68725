import * as z from 'zod/mini'
import { listing } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { scopes } from './scope.ts'
import { id, idParam } from './users.ts'

const count = z.int()

/** Of which conversations a person knows, and how many open ones that is now. */
const userScope = z.object({
  scope: z.enum(scopes),
  /** Those that the role admits. */
  offered: z.array(z.enum(scopes)),
  /** Those that they are in. */
  sectors: z.array(z.object({ id, name: z.string(), color: z.string() })),
  /** Whether there are any: without, everybody knows of everything. */
  areSectors: z.boolean(),
  /** With each of the scopes; `cards`: those of which they see in the queue who waits, with 'own'. */
  open: z.object({ own: count, sector: count, all: count, cards: count, total: count }),
})
export type UserScope = z.infer<typeof userScope>

export const getUserScope = endpoint({
  method: 'GET',
  path: '/api/user-permissions/:userId/scope',
  summary: 'Que conversas alguém vê, e quantas abertas veria com cada alcance',
  act: 'managePermissions',
  audit: listing,
  ids: { userId: 'user' },
  params: z.object({ userId: idParam }),
  reply: userScope,
})

export const saveUserScope = endpoint({
  method: 'PUT',
  path: '/api/user-permissions/:userId/scope',
  summary: 'Mudar que conversas alguém vê: as próprias, as do setor ou todas',
  act: 'managePermissions',
  audit: 'permissions.scope',
  ids: { userId: 'user' },
  params: z.object({ userId: idParam }),
  body: z.strictObject({ scope: z.enum(scopes) }),
  isSensitive: true,
  reply: userScope,
})
