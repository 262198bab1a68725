import { AppError } from '#shared/errors.ts'
import {
  connectGatewayNumber,
  getFirstSteps,
  getGatewayLink,
  type GatewayLink,
  logOutGatewayNumber,
  restartGatewayNumber,
  skipFirstStep,
  verifyGatewayWebhook,
} from '#shared/gateway/gateway-link.ts'
import { gatewayTexts } from '#shared/text/text.ts'
import { record } from '#server/audit/audit.ts'
import { appNow } from '#server/platform/clock.ts'
import type { Http } from '#server/platform/http/http.ts'
import { webhookTripSeconds, measureWebhookTrip } from '#server/gateway/instances/webhook-trip.ts'
import { readFirstSteps, skipStep } from '#server/gateway/instances/first-steps.ts'
import {
  activeConfig,
  linkNumber,
  logOutNumber,
  pairingNumber,
  restartNumber,
} from '#server/gateway/instances/link-number.ts'
import { findLink } from '#server/gateway/instances/links.ts'
import { findConfig } from '#server/gateway/instances/queries.ts'
import { installWebhook } from '#server/gateway/instances/setup.ts'
import type { GatewayRoutes } from '#server/gateway/webhook/webhook-route.ts'
import { auditedUrl, auditRefusals, ownWebhookUrl } from './destinations.ts'

/** The calls that link a number, named by its id, to a phone, and those of the first steps. */
export function linkRoutes(http: Http, context: GatewayRoutes): void {
  const { database, secrets, client } = context
  const audited = auditRefusals(database)

  const linkOf = async (id: number): Promise<GatewayLink> => {
    const link = await findLink(database, secrets, id, (await appNow(database)).getTime())
    if (!link) throw new AppError('gateway.not_found')
    return link
  }

  http.route(getGatewayLink, ({ params }) => linkOf(params.id))

  http.route(connectGatewayNumber, async ({ params: { id }, body, who, request }) => {
    const config = await activeConfig(database, id)
    const number = pairingNumber(body.number)
    const { instanceName } = config
    const url = config.webhookUrl ?? ownWebhookUrl(request, context.config)
    const details = { instanceName, url: auditedUrl(url) }
    const { isCreated } = await audited({ who, attempt: 'connect', details }, () =>
      linkNumber(context, config, { number, url }),
    )
    await record(database, who, {
      action: 'gateway.connect',
      resourceId: id,
      details: { instanceName, isCreated, isByNumber: number !== undefined },
    })
    return linkOf(id)
  })

  http.route(restartGatewayNumber, async ({ params: { id }, who }) => {
    const config = await activeConfig(database, id)
    const { instanceName } = config
    await audited({ who, attempt: 'restart', details: { instanceName } }, () =>
      restartNumber(context, config),
    )
    await record(database, who, { action: 'gateway.restart', resourceId: id, details: { instanceName } })
    return linkOf(id)
  })

  http.route(logOutGatewayNumber, async ({ params: { id }, who }) => {
    const config = await findConfig(database, id)
    if (!config) throw new AppError('gateway.not_found')
    const { instanceName } = config
    await audited({ who, attempt: 'logout', details: { instanceName } }, () => logOutNumber(context, config))
    await record(database, who, { action: 'gateway.logout', resourceId: id, details: { instanceName } })
    return linkOf(id)
  })

  http.route(verifyGatewayWebhook, async ({ params: { id }, who, request }) => {
    const config = await activeConfig(database, id)
    const { instanceName } = config
    const url = config.webhookUrl ?? ownWebhookUrl(request, context.config)
    const details = { instanceName, url: auditedUrl(url) }
    await audited({ who, attempt: 'webhook', details }, () =>
      installWebhook(database, client, secrets, config, url),
    )
    await record(database, who, { action: 'gateway.webhook', resourceId: id, details })
    const now = await findConfig(database, id)
    if (now?.status !== 'open') return { isHeard: null, tookMs: null, message: gatewayTexts.webhookLater }
    const tookMs = await measureWebhookTrip(context, now)
    if (tookMs !== undefined)
      return { isHeard: true, tookMs, message: gatewayTexts.webhookHeard.replace('{ms}', String(tookMs)) }
    const message = gatewayTexts.webhookUnheard
      .replace('{seconds}', String(webhookTripSeconds))
      .replace('{address}', auditedUrl(url))
    return { isHeard: false, tookMs: null, message }
  })

  http.route(getFirstSteps, () => readFirstSteps(database))

  http.route(skipFirstStep, async ({ body }) => {
    await skipStep(database, body.step)
    return readFirstSteps(database)
  })
}
