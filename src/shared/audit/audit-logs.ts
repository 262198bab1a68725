import * as z from 'zod/mini'
import { anythingOnClients, clientName } from '#shared/contacts/client-phone.ts'
import { endpoint } from '#shared/endpoint.ts'
import { roles } from '#shared/permissions.ts'
import { dayParam, id, idParam, instant, pageParam } from '#shared/users/users.ts'
import { auditGroups, auditResources } from './audit-actions.ts'

const facts = z.record(z.string(), anythingOnClients)

/** A row of the audit log. */
export const auditLog = z.object({
  id,
  /** Its place in the chain and its hash; null until it is sealed, about a second after the act. */
  position: z.nullable(z.int()),
  hash: z.nullable(z.string()),
  createdAt: instant,
  actor: z.object({
    /** A stranger is not signed in. 'command': at the machine, by an administration command. */
    kind: z.enum(['person', 'stranger', 'command', 'system']),
    id: z.nullable(id),
    /** At that time; null when it was erased. */
    name: z.nullable(z.string()),
    role: z.nullable(z.enum(roles)),
  }),
  /** Null when it is unknown, or was erased. */
  address: z.nullable(z.string()),
  device: z.nullable(z.string()),
  /** When the session of the person began. */
  sessionSince: z.nullable(instant),
  /** An AuditAction, or one of an earlier version. */
  action: z.string(),
  resource: z.object({
    type: z.enum(auditResources),
    id: z.nullable(z.string()),
    /** The current one; null when it is gone or has none. */
    name: z.nullable(clientName),
  }),
  outcome: z.enum(['done', 'refused']),
  /** How often it was repeated within a minute. */
  repeats: z.int(),
  details: facts,
  /** The values that concern a person; empty when they were erased. */
  personal: facts,
  isErased: z.boolean(),
})
export type AuditLog = z.infer<typeof auditLog>

/** The fields of a filter, by their names in a URL. */
export const auditFilterFields = {
  from: z.optional(dayParam),
  /** Inclusive. */
  to: z.optional(dayParam),
  userId: z.optional(idParam),
  group: z.optional(z.enum(auditGroups)),
  resourceType: z.optional(z.enum(auditResources)),
  /** Only with `resourceType`. */
  resourceId: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  address: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  outcome: z.optional(z.enum(['done', 'refused'])),
  /** Only what was done and has changed something. */
  only: z.optional(z.literal('changes')),
}

const hasOrder = z.refine<{ from?: string | undefined; to?: string | undefined }>(
  ({ from, to }) => from === undefined || to === undefined || from <= to,
  { error: 'O período termina antes de começar', path: ['to'] },
)
const namesObject = z.refine<{ resourceType?: string | undefined; resourceId?: string | undefined }>(
  ({ resourceType, resourceId }) => resourceId === undefined || resourceType !== undefined,
  { error: 'Falta o tipo do objeto', path: ['resourceType'] },
)

const auditFilter = z.object(auditFilterFields).check(hasOrder, namesObject)
export type AuditFilter = z.infer<typeof auditFilter>

/** Rows are counted, and can be paged through, up to here; a filter leads to the others. */
export const mostAuditRows = 10_000

export const auditPageSizes = [10, 20, 50, 100] as const

export const listAuditLogs = endpoint({
  method: 'GET',
  path: '/api/audit-logs',
  summary: 'O registro de auditoria, do mais novo ao mais antigo',
  act: 'viewAudit',
  audit: { not: 'who may read the log is decided by a permission, and exports are recorded' },
  query: z
    .object({
      ...auditFilterFields,
      page: z.optional(pageParam),
      limit: z.optional(z.pipe(pageParam, z.int().check(z.maximum(100)))),
    })
    .check(hasOrder, namesObject),
  reply: z.object({
    rows: z.array(auditLog),
    pagination: z.object({
      page: z.int(),
      limit: z.int(),
      /** At most `mostAuditRows`. */
      total: z.int(),
      totalPages: z.int(),
      /** There are more rows than `total`. */
      hasMore: z.boolean(),
    }),
    /** Everybody who has or had an account, for names in rows and for the filter. */
    people: z.array(z.object({ id, name: z.string(), username: z.string(), isDeleted: z.boolean() })),
    /** Of days and times. */
    timezone: z.string(),
    chain: z.object({
      /** Number of sealed rows. */
      position: z.int(),
      /** Number of rows that wait to be sealed. */
      waiting: z.int(),
      /** The last check of the whole chain; null before the first one. */
      check: z.nullable(
        z.object({
          checkedAt: instant,
          position: z.int(),
          breaks: z.int(),
          firstPosition: z.nullable(z.int()),
          firstFault: z.nullable(z.string()),
        }),
      ),
    }),
  }),
})
export type AuditPage = z.infer<NonNullable<(typeof listAuditLogs)['reply']>>

export const exportAuditLogs = endpoint({
  method: 'GET',
  path: '/api/audit-logs/export',
  summary: 'O que o filtro mostra, inteiro, em CSV',
  act: 'viewAudit',
  audit: 'audit.export',
  isSensitive: true,
  query: auditFilter,
  sendsFile: true,
})
