import * as z from 'zod/mini'
import { listing } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam } from './users.ts'

/** Whether clients' telephone numbers are hidden from a person, and whether they may have one shown. */
const phonesSetting = z.object({ userId: id, hidesPhones: z.boolean(), revealsPhones: z.boolean() })
export type PhonesSetting = z.infer<typeof phonesSetting>

export const getPhonesSetting = endpoint({
  method: 'GET',
  path: '/api/user-permissions/:userId/phones',
  summary: 'Se os telefones dos clientes são ocultos de alguém',
  act: 'managePermissions',
  audit: listing,
  ids: { userId: 'user' },
  params: z.object({ userId: idParam }),
  reply: phonesSetting,
})

/** Numbers that are not hidden need not be shown: without `hidesPhones` the other one is off. */
export const savePhonesSetting = endpoint({
  method: 'PUT',
  path: '/api/user-permissions/:userId/phones',
  summary: 'Ocultar de alguém os telefones dos clientes, ou mostrar; e se pode ver um de cada vez',
  act: 'managePermissions',
  audit: 'permissions.phones',
  ids: { userId: 'user' },
  params: z.object({ userId: idParam }),
  body: z.strictObject({ hidesPhones: z.boolean(), revealsPhones: z.boolean() }),
  isSensitive: true,
  reply: phonesSetting,
})
