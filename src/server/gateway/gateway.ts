import { AppError } from '#shared/errors.ts'
import { type Hindrance, hindranceTexts } from '#shared/text/text.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { ChangeResult, SendResult } from '#server/gateway/evolution/client/answers.ts'
import type { RecordedMessage } from '#server/gateway/evolution/client/records.ts'
import type { SentMessage } from '#server/gateway/evolution/client/changing.ts'
import {
  type ClientOptions,
  createEvolutionClient,
  defaultTimes,
  type EvolutionClient,
} from '#server/gateway/evolution/client/evolution-client.ts'
import type { Reached } from '#server/gateway/evolution/client/examine.ts'
import type { GatewayTimes, Instance } from '#server/gateway/evolution/client/request.ts'
import type {
  OutgoingMedia,
  OutgoingReaction,
  OutgoingText,
  OutgoingTyping,
  ReadMessages,
} from '#server/gateway/evolution/client/sending.ts'
import { keepsGivenIds } from '#server/gateway/evolution/client/release.ts'
import { fetchPicture } from '#server/gateway/evolution/client/pictures.ts'
import type {
  Content,
  GatewayEvent,
  IncomingMessage,
} from '#server/gateway/evolution/parse/gateway-events.ts'
import {
  connectGateway,
  ensureConnection,
  installWebhook,
  instanceOf,
  noteConnection,
} from '#server/gateway/instances/setup.ts'
import {
  type ConfigRow,
  findConfig,
  findWebhookFile,
  listActiveConfigs,
  listConfigs,
  setOwner,
} from '#server/gateway/instances/queries.ts'
import { createChangesInTurn } from './changes-in-turn.ts'

export type { Typing } from '#server/gateway/webhook/webhook-route.ts'
export { auditedUrl, ownWebhookUrl } from './destinations.ts'
export type { EvolutionClient, Reached }
export { errorWords } from '#server/gateway/evolution/parse/values.ts'
export { webhookTripSeconds, measureWebhookTrip } from '#server/gateway/instances/webhook-trip.ts'
export { isBearerOf } from '#server/gateway/webhook/webhook-auth.ts'
export { countStuckLanes, createInboxWriter, inboxHealth } from '#server/gateway/inbox/inbox.ts'
export { takeNumbers } from './default-sector.ts'
export { leaveNumbersOf } from '#server/gateway/instances/numbers.ts'
export { inactivityFrom, noteTroubles, restartInactivity } from '#server/gateway/instances/inactivity.ts'
export { findSetAside } from '#server/gateway/inbox/set-aside.ts'
export { findRefusals } from '#server/gateway/webhook/refusals.ts'
export { Aside, type EventHandlers, type EventResult, forget } from '#server/gateway/inbox/event-handlers.ts'
export { startInboxWorker } from '#server/gateway/inbox/inbox-worker.ts'
export { trimInboxJob } from '#server/gateway/inbox/trim.ts'
export { startSweep } from '#server/gateway/inbox/sweep.ts'
export { startGatewayWatch } from './gateway-watch.ts'
export { readGatewayNews, readNewsOf, startGatewayNews } from '#server/gateway/healing/gateway-news.ts'
export { findSilent, startSilenceWatch } from '#server/gateway/healing/silence.ts'
export { newMessageId } from '#server/gateway/evolution/client/release.ts'
export { noteIdIgnored } from '#server/gateway/instances/queries.ts'
export { listNumbers } from '#server/gateway/instances/numbers.ts'
export { connectGateway, ensureConnection, installWebhook, instanceOf }
export {
  type ChangeResult,
  type ConfigRow,
  listActiveConfigs,
  listConfigs,
  type Content,
  type GatewayEvent,
  type GatewayTimes,
  type IncomingMessage,
  type OutgoingMedia,
  type OutgoingText,
  type RecordedMessage,
  type SendResult,
}

/** Access to WhatsApp. The calls use the network: never make them inside a transaction. */
export interface Gateway {
  readonly client: EvolutionClient
  /** The number with its key in clear text; undefined when it was deleted or deactivated. */
  instance(db: Db, instanceId: number): Promise<Instance | undefined>
  sendText(db: Db, instanceId: number, message: OutgoingText): Promise<SendResult>
  sendMedia(db: Db, instanceId: number, message: OutgoingMedia): Promise<SendResult>
  /** Reacts to a message. @param reaction.to as in `editMessage` */
  sendReaction(db: Db, instanceId: number, reaction: OutgoingReaction): Promise<SendResult>
  /** Does nothing when the number was deleted or deactivated. @throws when the request fails */
  markRead(db: Db, instanceId: number, read: ReadMessages): Promise<void>
  /** Does nothing when the number is not connected. @throws when the request fails */
  sendTyping(db: Db, instanceId: number, typing: OutgoingTyping): Promise<void>
  /**
   * Edits an outgoing message. Like a deletion and a reaction it waits for a gateway that is hindered, for
   * `changeMs` at most.
   * @param message.to used when the gateway's record has no address
   */
  editMessage(db: Db, instanceId: number, message: SentMessage & { text: string }): Promise<ChangeResult>
  /** Deletes an outgoing message for everyone. @param message.to as in `editMessage` */
  deleteMessage(db: Db, instanceId: number, message: SentMessage): Promise<ChangeResult>
  /** Passes the file of a message to `take` while it arrives. @throws when it cannot be fetched */
  fetchMedia<T>(
    db: Db,
    instanceId: number,
    waId: string,
    take: (bytes: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<{ taken: T; fileName: string | undefined }>
  /**
   * Passes the profile picture of a person to `take` while it arrives; undefined when the person shows none.
   * @param number digits or a whole jid
   * @throws when it cannot be fetched
   */
  fetchPicture<T>(
    db: Db,
    instanceId: number,
    number: string,
    take: (bytes: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T | undefined>
  /**
   * Lists what was sent to any of the jids in the period, from the gateway's own record.
   * @throws when the request fails
   */
  findSent(
    db: Db,
    instanceId: number,
    query: { jids: string[]; from: Date; to: Date },
  ): Promise<RecordedMessage[]>
  /** What was sent under this id, from the gateway's own record. @throws when the request fails */
  findSentById(db: Db, instanceId: number, waId: string): Promise<RecordedMessage | undefined>
  /**
   * Whether what was sent under ids of ours since then has these ids: the gateway's release keeps them, and
   * no other one was seen meanwhile.
   * @throws when the gateway is not reached
   */
  keepsGivenIds(db: Db, instanceId: number, since: Date): Promise<boolean>
  isOpen(db: Db, instanceId: number): Promise<boolean>
}

export function createGateway(http: OutgoingHttp, secrets: Secrets, options?: ClientOptions): Gateway {
  const client = createEvolutionClient(http, options)
  const inTurn = createChangesInTurn(options?.times?.changeMs ?? defaultTimes.changeMs)
  const instance = async (db: Db, instanceId: number) => {
    const config = await findConfig(db, instanceId)
    return config?.isActive ? instanceOf(config, secrets) : undefined
  }
  return {
    client,
    instance,
    async sendText(db, instanceId, message) {
      const to = await instance(db, instanceId)
      return to ? client.sendText(to, message) : { kind: 'not_sent', detail: 'not configured' }
    },
    async sendMedia(db, instanceId, message) {
      const to = await instance(db, instanceId)
      return to ? client.sendMedia(to, message) : { kind: 'not_sent', detail: 'not configured' }
    },
    async sendReaction(db, instanceId, reaction) {
      const to = await instance(db, instanceId)
      if (!to) return { kind: 'not_sent', detail: 'not configured' }
      return inTurn(db, { instanceId, waId: reaction.waId }, async () =>
        client.sendReaction(to, { ...reaction, to: await findRecordedAddress(client, to, reaction) }),
      )
    },
    async markRead(db, instanceId, read) {
      const at = await instance(db, instanceId)
      if (at) await client.markRead(at, read)
    },
    async sendTyping(db, instanceId, typing) {
      const config = await findConfig(db, instanceId)
      if (config?.isActive && config.status === 'open')
        await client.sendTyping(instanceOf(config, secrets), typing)
    },
    async editMessage(db, instanceId, message) {
      const at = await instance(db, instanceId)
      if (!at) return { kind: 'unconfirmed', detail: 'not configured' }
      return inTurn(db, { instanceId, waId: message.waId }, async () =>
        client.editMessage(at, { ...message, to: await findRecordedAddress(client, at, message) }),
      )
    },
    async deleteMessage(db, instanceId, message) {
      const at = await instance(db, instanceId)
      if (!at) return { kind: 'unconfirmed', detail: 'not configured' }
      return inTurn(db, { instanceId, waId: message.waId }, async () =>
        client.deleteMessage(at, { ...message, to: await findRecordedAddress(client, at, message) }),
      )
    },
    async fetchMedia(db, instanceId, waId, take) {
      const at = await instance(db, instanceId)
      if (!at) throw new Error('gateway not configured')
      try {
        return await client.fetchMedia(at, waId, take)
      } catch (error) {
        const base64 = await findWebhookFile(db, instanceId, waId)
        if (base64 === undefined) throw error
        return { taken: await take(bytesIn(base64)), fileName: undefined }
      }
    },
    async fetchPicture(db, instanceId, number, take) {
      const at = await instance(db, instanceId)
      if (!at) throw new Error('gateway not configured')
      return fetchPicture({ http, onAway: options?.onAway }, at, number, take)
    },
    async findSent(db, instanceId, query) {
      const at = await instance(db, instanceId)
      if (!at) throw new Error('gateway not configured')
      return client.findSent(at, query)
    },
    async findSentById(db, instanceId, waId) {
      const at = await instance(db, instanceId)
      if (!at) throw new Error('gateway not configured')
      return client.findSentById(at, waId)
    },
    async keepsGivenIds(db, instanceId, since) {
      const config = await findConfig(db, instanceId)
      if (!config?.isActive || !config.keepsIds) return false
      if (!config.releaseAt || config.releaseAt > since) return false
      return keepsGivenIds(await client.release(instanceOf(config, secrets)))
    },
    async isOpen(db, instanceId) {
      const at = await instance(db, instanceId)
      return at !== undefined && (await client.connectionState(at)) === 'open'
    },
  }
}

/**
 * The gateway changes a message, or reacts to it, under the address in its own record alone, and one person
 * can have three: two numbers, with and without the 9, and a LID. When the lookup fails, our address is the
 * best guess.
 */
async function findRecordedAddress(
  client: EvolutionClient,
  at: Instance,
  { to, waId }: SentMessage,
): Promise<string> {
  return (await client.findAddress(at, waId).catch(() => undefined)) ?? to
}

/** Base64 encodes three bytes as four characters, so the length is a multiple of four. */
const pieceLength = 262_144

/** Decodes the file of a webhook, which is the same as the gateway's. */
async function* bytesIn(base64: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < base64.length; at += pieceLength)
    yield Buffer.from(base64.slice(at, at + pieceLength), 'base64')
}

/** A change that was not made, and why. */
export const gatewayHindered = (hindrance: Hindrance): AppError =>
  new AppError('gateway.hindered', { values: { reason: hindranceTexts[hindrance] } })

/** Records the connection state that the gateway reports for its number. */
export async function recordConnection(
  db: Tx,
  instanceId: number,
  event: Extract<GatewayEvent, { kind: 'connection' }>,
): Promise<void> {
  const { state, ownerJid, profileName, reason } = event
  await noteConnection(db, instanceId, { status: state, ownerJid, profileName, reason })
  // A look at the gateway may have seen it open first, which does not tell whose number it is.
  if (ownerJid && (await setOwner(db, instanceId, { ownerJid, profileName })))
    db.emit({ type: 'gateway_state' })
}
