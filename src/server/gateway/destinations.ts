import type { Changes } from '#shared/text/audit/telling.ts'
import { AppError } from '#shared/errors.ts'
import { gatewayTexts } from '#shared/text/text.ts'
import { errorTexts } from '#shared/text/error-texts.ts'
import type { FastifyRequest } from 'fastify'
import { record } from '#server/audit/audit.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { ownAddress } from '#server/platform/http/source/own-origin.ts'
import type { ConfigRow } from '#server/gateway/instances/queries.ts'

// Where the form of the gateway sends secrets: its key to `baseUrl`, ours and every message to `webhookUrl`.
// Whoever may edit the form must not direct them to an address of their own without the gateway's key.

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '')

const keyNeeded = (text: string) => new AppError('gateway.key_needed', { text, fields: { apiKey: text } })

/** The stored key is only ever sent to the server for which it was given. @throws AppError 400 */
export function refuseStoredKey(stored: Pick<ConfigRow, 'baseUrl'>, baseUrl: string): void {
  if (originOf(stored.baseUrl) !== originOf(baseUrl)) throw keyNeeded(errorTexts['gateway.key_needed'])
}

/**
 * Messages go to another server than before only with the gateway's key; to our own always.
 * @param own the address of our own webhook
 * @throws AppError 400
 */
export function refuseMovedWebhook(
  stored: Pick<ConfigRow, 'webhookUrl'>,
  webhookUrl: string | null,
  own: string,
): void {
  const to = originOf(webhookUrl ?? own)
  if (to === originOf(own) || to === originOf(stored.webhookUrl ?? own)) return
  throw keyNeeded(gatewayTexts.webhookKeyNeeded)
}

/** An address for the audit, without a name, a password or a query, which may be secrets. */
export function auditedUrl(url: string): string {
  if (!URL.canParse(url)) return ''
  const { origin, pathname } = new URL(url)
  return pathname === '/' ? origin : `${origin}${pathname}`
}

export interface Destinations {
  instanceName: string
  baseUrl: string
  webhookUrl: string | null
}

/** For the audit: which number, and where its key and its messages go. */
export function destinationsOf(values: Pick<ConfigRow, keyof Destinations>): Destinations {
  return {
    instanceName: values.instanceName,
    baseUrl: auditedUrl(values.baseUrl),
    webhookUrl: values.webhookUrl && auditedUrl(values.webhookUrl),
  }
}

type Audited = Pick<ConfigRow, keyof Destinations | 'isActive'>

/** For the audit: which of these are others than before. */
export function changesOf(before: Audited, after: Audited): Changes<keyof Audited> {
  const changes: Changes<keyof Audited> = {}
  const [from, to] = [destinationsOf(before), destinationsOf(after)]
  if (before.instanceName !== after.instanceName) changes.instanceName = [from.instanceName, to.instanceName]
  // Compared whole: what the audit leaves out may be all that is new.
  if (before.baseUrl !== after.baseUrl) changes.baseUrl = [from.baseUrl, to.baseUrl]
  if (before.webhookUrl !== after.webhookUrl) changes.webhookUrl = [from.webhookUrl, to.webhookUrl]
  if (before.isActive !== after.isActive) changes.isActive = [before.isActive, after.isActive]
  return changes
}

/** Makes acts on the connection that also record what was refused, with where it would have gone. */
export function auditRefusals(database: Database) {
  return async <Result>(
    entry: { who: Who; attempt: string; details: Partial<Destinations & { url: string }> },
    work: () => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      const { who, attempt, details } = entry
      if (error instanceof AppError)
        await record(database, who, {
          action: 'gateway.refused',
          outcome: 'refused',
          details: { attempt, ...details, reason: error.code },
        })
      throw error
    }
  }
}

/**
 * The URL at which the gateway reaches us: PUBLIC_URL, or the address that the administrator's browser uses.
 */
export function ownWebhookUrl(request: FastifyRequest, config: Config): string {
  return `${ownAddress(request, config)}/api/webhook/evolution`
}
