import type { OutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import {
  type ConnectionState,
  connectionState,
  fetchInstances,
  type InstanceInfo,
  refreshWebhook,
  setWebhook,
} from './administration.ts'
import type { ChangeResult, SendResult } from './answers.ts'
import { deleteMessage, editMessage, findAddress, type SentMessage } from './changing.ts'
import { findWebhook, reach, type Reached, type StoredWebhook } from './examine.ts'
import { fetchMedia } from './fetch-media.ts'
import {
  connectInstance,
  createInstance,
  type CreatedInstance,
  type LinkAnswer,
  logOutInstance,
  restartInstance,
} from './linking.ts'
import { findSent, findSentById, listRecorded, type RecordedMessage, type RecordedPage } from './records.ts'
import { releaseOf } from './release.ts'
import type { ClientContext, GatewayTimes, Instance } from './request.ts'
import {
  markRead,
  type OutgoingMedia,
  type OutgoingReaction,
  type OutgoingText,
  type OutgoingTyping,
  type ReadMessages,
  sendMedia,
  sendReaction,
  sendText,
  sendTyping,
} from './sending.ts'

export interface EvolutionClient {
  sendText(instance: Instance, message: OutgoingText): Promise<SendResult>
  sendMedia(instance: Instance, message: OutgoingMedia): Promise<SendResult>
  sendReaction(instance: Instance, reaction: OutgoingReaction): Promise<SendResult>
  /**
   * Shows the client that their messages were read. Some releases ignore the keys of a LID.
   * @throws when the request fails
   */
  markRead(instance: Instance, read: ReadMessages): Promise<void>
  /**
   * Shows 'digitando…' on the client's phone, or removes it. The gateway answers after `delayMs`, when it
   * removes it on its own. From then on it also reports the client's own typing.
   * @throws when the request fails
   */
  sendTyping(instance: Instance, typing: OutgoingTyping): Promise<void>
  /** Idempotent. `to` must be the address in the gateway's own record: see `findAddress`. */
  editMessage(instance: Instance, message: SentMessage & { text: string }): Promise<ChangeResult>
  /** Deletes the message for everyone. Idempotent. */
  deleteMessage(instance: Instance, message: SentMessage): Promise<ChangeResult>
  /**
   * Returns the jid of the chat in which the gateway's record has the message, or undefined when it has none.
   * @throws when the request fails
   */
  findAddress(instance: Instance, waId: string): Promise<string | undefined>
  /**
   * Passes the file of a message to `take` while the gateway fetches it from WhatsApp.
   * @throws when the file cannot be fetched, or the transfer breaks off
   */
  fetchMedia<T>(
    instance: Instance,
    waId: string,
    take: (bytes: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<{ taken: T; fileName: string | undefined }>
  connectionState(instance: Instance): Promise<ConnectionState>
  /**
   * Lists all instances that the key may see, with the token of each.
   * @throws AppError gateway.key_refused, or gateway.unreachable with the status
   */
  fetchInstances(instance: Instance): Promise<InstanceInfo[]>
  /** @throws AppError gateway.key_refused, or gateway.unreachable with the status */
  setWebhook(instance: Instance, webhook: { url: string; secret: string }): Promise<void>
  /**
   * Asks for the events of the gateway's present release, if those of the stored webhook are another's.
   * @throws AppError gateway.key_refused, or gateway.unreachable with the status
   */
  refreshWebhook(instance: Instance): Promise<void>
  /** Reports what answers at the gateway's address, and what exactly is wrong with it. */
  reach(instance: Instance): Promise<Reached>
  /** The webhook that the gateway has for the instance; undefined for none. @throws when it is not reached */
  findWebhook(instance: Instance): Promise<StoredWebhook | undefined>
  /** The release of the gateway, such as '2.3.7'; '' when it does not say. @throws when it is not reached */
  release(instance: Instance): Promise<string>
  /**
   * Creates the instance with our webhook and begins linking it. The gateway takes five seconds for it.
   * @param options.number digits with country code, for a pairing code
   * @returns undefined when the gateway has one of that name
   * @throws AppError gateway.key_of_instance for a key that may not; else as `setWebhook`
   */
  createInstance(
    instance: Instance,
    options: { webhook: { url: string; secret: string }; number: string | undefined },
  ): Promise<CreatedInstance | undefined>
  /**
   * Begins linking a number that is closed, or asks for the code of one that is being linked. A number with
   * which that was begun cannot be added to it.
   * @throws AppError as `setWebhook`
   */
  connect(instance: Instance, number?: string): Promise<LinkAnswer>
  /**
   * Opens the socket again.
   * @returns false for a number that is not linked
   * @throws AppError as `setWebhook`
   */
  restart(instance: Instance): Promise<boolean>
  /** Ends the session at WhatsApp; idempotent. @throws AppError as `setWebhook` */
  logOut(instance: Instance): Promise<void>
  /**
   * Lists what we sent to any of the jids in the period, newest first, from the gateway's record.
   * @throws when the request fails
   */
  findSent(instance: Instance, query: { jids: string[]; from: Date; to: Date }): Promise<RecordedMessage[]>
  /**
   * What we sent under this id, from the gateway's record; undefined when it has none.
   * @throws when the request fails
   */
  findSentById(instance: Instance, waId: string): Promise<RecordedMessage | undefined>
  /**
   * Lists one page of the gateway's record of a period, newest first. Pages count from 1.
   * @param query.readAt the time of edits, of which the record has none
   * @throws when the request fails
   */
  listRecorded(
    instance: Instance,
    query: { from: Date; to: Date; page: number; readAt: Date },
  ): Promise<RecordedPage>
}

export const defaultTimes: GatewayTimes = {
  /** Shorter than the outbox's lease, longer than the gateway's own timeout. */
  sendMs: 60_000,
  /** The gateway fetches the file from WhatsApp during the call, in two attempts. */
  mediaMs: 180_000,
  changeMs: 20_000,
}

export interface ClientOptions {
  /** Overrides the default timeouts. */
  times?: Partial<GatewayTimes> | undefined
  onAway?: ClientContext['onAway']
}

export function createEvolutionClient(http: OutgoingHttp, options: ClientOptions = {}): EvolutionClient {
  const { times, onAway } = options
  const context: ClientContext = { http, times: { ...defaultTimes, ...times }, onAway }
  return {
    sendText: (...call) => sendText(context, ...call),
    sendMedia: (...call) => sendMedia(context, ...call),
    sendReaction: (...call) => sendReaction(context, ...call),
    markRead: (...call) => markRead(context, ...call),
    sendTyping: (...call) => sendTyping(context, ...call),
    editMessage: (...call) => editMessage(context, ...call),
    deleteMessage: (...call) => deleteMessage(context, ...call),
    findAddress: (...call) => findAddress(context, ...call),
    fetchMedia: (...call) => fetchMedia(context, ...call),
    connectionState: (...call) => connectionState(context, ...call),
    fetchInstances: (...call) => fetchInstances(context, ...call),
    setWebhook: (...call) => setWebhook(context, ...call),
    refreshWebhook: (...call) => refreshWebhook(context, ...call),
    reach: (...call) => reach(context, ...call),
    findWebhook: (...call) => findWebhook(context, ...call),
    // Without `onAway`, since the watch over the connections asks.
    release: (...call) => releaseOf({ http }, ...call),
    createInstance: (...call) => createInstance(context, ...call),
    connect: (...call) => connectInstance(context, ...call),
    restart: (...call) => restartInstance(context, ...call),
    logOut: (...call) => logOutInstance(context, ...call),
    findSent: (...call) => findSent(context, ...call),
    findSentById: (...call) => findSentById(context, ...call),
    listRecorded: (...call) => listRecorded(context, ...call),
  }
}
