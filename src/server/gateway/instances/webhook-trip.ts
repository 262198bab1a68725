import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '#shared/errors.ts'
import { gatewayTexts } from '#shared/text/text.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import type { Instance } from '#server/gateway/evolution/client/request.ts'
import { echoIdStart } from '#server/gateway/evolution/parse/changes.ts'
import { wasHeard } from './links.ts'
import type { LinkContext } from './link-number.ts'
import type { ConfigRow } from './queries.ts'
import { instanceOf, throwUnreachable } from './setup.ts'

// Whether the gateway reaches our webhook is only known when it does. Removing a reaction to a message that
// does not exist, in the chat of the number with itself, makes it post, and shows nothing on any phone.

const heardWithinMs = 10_000
const lookEveryMs = 100

export const webhookTripSeconds = heardWithinMs / 1000

/**
 * Makes the gateway post an event of a connected number, and waits until our webhook has heard it, in
 * whichever process.
 * @returns after how many milliseconds; undefined: not within `webhookTripSeconds`
 * @throws AppError gateway.not_linked for a number that WhatsApp does not know yet; gateway.unreachable
 */
export async function measureWebhookTrip(
  { database, client, secrets }: LinkContext,
  config: ConfigRow,
): Promise<number | undefined> {
  const instance = instanceOf(config, secrets)
  const owner = config.ownerJid ?? (await ownerAtGateway(client, instance))
  if (!owner) throw new AppError('gateway.not_linked')
  const to = owner.replace(/:\d+/, '')
  const waId = `${echoIdStart}${randomBytes(6).toString('hex').toUpperCase()}`
  const startedMs = performance.now()
  const sent = await client.sendReaction(instance, { to, waId, fromMe: true, emoji: '' })
  if (sent.kind !== 'sent')
    throw new AppError('gateway.unreachable', { values: { reason: gatewayTexts.failedAtGateway } })
  for (;;) {
    if (await wasHeard(database, config.instanceName, `send:${sent.waId}`))
      return Math.round(performance.now() - startedMs)
    if (performance.now() - startedMs > heardWithinMs) return undefined
    await delay(lookEveryMs)
  }
}

/** Whose number it is: webhooks tell it, of which none may have come yet. */
async function ownerAtGateway(
  client: EvolutionClient,
  instance: Instance,
): Promise<string | null | undefined> {
  const known = await client.fetchInstances(instance).catch(throwUnreachable)
  return known.find(({ name }) => name === instance.instanceName)?.ownerJid
}
