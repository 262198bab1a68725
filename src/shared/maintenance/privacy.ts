import * as z from 'zod/mini'
import { clientName } from '#shared/contacts/client-phone.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, idParam, instant, pageParam } from '#shared/users/users.ts'

/** What a person may ask for by the LGPD, art. 18: a copy of their data, or that it is anonymized. */
export const privacyRequestKinds = ['export', 'anonymize'] as const

/** How many rows of each table were given out or erased, and how many files; no value of a person. */
export const privacyProof = z.record(z.string(), z.int())
export type PrivacyProof = z.infer<typeof privacyProof>

/** A ZIP: a page to read, the same as JSON, and the files. Audited, and noted as a request. */
export const exportPersonalData = endpoint({
  method: 'GET',
  path: '/api/contacts/:id/personal-data',
  summary: 'Tudo o que há sobre um contato, em um arquivo ZIP (LGPD, art. 18)',
  act: 'exportPersonalData',
  audit: 'contact.personal_data',
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  isSensitive: true,
  sendsFile: true,
})

/** Cannot be undone. Open conversations are completed without a text, and queued messages are not sent. */
export const anonymizeContact = endpoint({
  method: 'POST',
  path: '/api/contacts/:id/anonymize',
  summary: 'Apagar tudo o que identifica um contato (LGPD, art. 18); contagens e horários ficam',
  act: 'anonymizeContact',
  audit: 'contact.anonymize',
  ids: { id: 'contact' },
  params: z.object({ id: idParam }),
  isSensitive: true,
  reply: z.object({ proof: privacyProof }),
})

export const privacyRequest = z.object({
  id,
  kind: z.enum(privacyRequestKinds),
  contactId: id,
  /** Its name now: `erasedName` after it was anonymized. */
  contactName: clientName,
  /** Whether its page can be opened. */
  isContactShown: z.boolean(),
  /** Who carried it out. */
  userName: z.string(),
  createdAt: instant,
  proof: privacyProof,
})
export type PrivacyRequest = z.infer<typeof privacyRequest>

export const listPrivacyRequests = endpoint({
  method: 'GET',
  path: '/api/privacy-requests',
  summary: 'Pedidos de titulares de dados que foram atendidos (LGPD), os mais recentes primeiro',
  act: 'viewPrivacyRequests',
  audit: { not: 'lists requests, without a value of a person' },
  query: z.object({
    page: z.optional(pageParam),
    limit: z.optional(z.pipe(pageParam, z.number().check(z.maximum(100)))),
  }),
  reply: z.object({
    requests: z.array(privacyRequest),
    pagination: z.object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() }),
  }),
})
