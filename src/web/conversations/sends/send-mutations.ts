import {
  onlineManager,
  useMutation,
  useMutationState,
  useQueryClient,
  type MutationOptions,
  type QueryClient,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import {
  reactToMessage,
  retryMessage,
  sendMessage,
  sendToContact,
} from '#shared/messages/message-endpoints.ts'
import type { Message } from '#shared/messages/messages.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { replyKeys } from '#web/quick-replies/quick-replies.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { patchMessage } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import {
  type Chat,
  chatKey,
  deliver,
  forgetSend,
  storedSends,
  storeSend,
  type PendingSend,
  type Send,
} from './sends.ts'
import { keepSentFile } from './sent-files.ts'
import { UploadCancelled, uploadFile, uploadReason } from './uploads.ts'

/**
 * Sends a reply. It waits for earlier sends of the conversation, for the network and for the session, and is
 * repeated with the same clientMessageId until the server confirms or refuses it. See `usePendingSends` for
 * sends under way.
 */
export function useSendMessage(chat: Chat) {
  const client = useQueryClient()
  const { mutate } = useMutation(sendOptions(client, chat))
  return useCallback(
    (send: Send) => {
      dropSend(client, send.clientMessageId)
      mutate(send)
    },
    [client, mutate],
  )
}

/** Discards a refused send on request of its author. */
export function useDiscardSend() {
  const client = useQueryClient()
  return useCallback(
    (send: Send) => {
      forgetSend(send)
      dropSend(client, send.clientMessageId)
    },
    [client],
  )
}

/** The sends of this browser that the server has not confirmed, oldest first. */
export function usePendingSends(chat: Chat): PendingSend[] {
  const sends = useMutationState<PendingSend | undefined>({
    filters: { mutationKey: sendKey(chat) },
    select: ({ state }) => {
      const send = state.variables as Send | undefined
      if (!send || state.status === 'success') return undefined
      return { ...send, error: state.status === 'error' ? (state.error?.message ?? '') : null }
    },
  })
  return useMemo(
    () => sends.filter((send) => send !== undefined).sort((a, b) => a.composedAtMs - b.composedAtMs),
    [sends],
  )
}

function sendKey(chat: Chat) {
  return ['send', chatKey(chat)]
}

/** Whether a send of the chat is on its way to the server. */
export function isSending(client: QueryClient, chat: Chat): boolean {
  return client.isMutating({ mutationKey: sendKey(chat) }) > 0
}

function sendOptions(client: QueryClient, chat: Chat): MutationOptions<Message, Error, Send> {
  return {
    mutationKey: sendKey(chat),
    scope: { id: `chat-${chatKey(chat)}` },
    gcTime: Infinity,
    retry: false,
    mutationFn: (send) => deliver(send, postSend, statusOf, pauseOrOnline),
    onMutate: (send) => storeSend(send),
    onSuccess: (message, send) => {
      const { conversationId } = message
      patchMessage(client, message)
      forgetSend(send)
      keepSentFile(send)
      dropSend(client, send.clientMessageId)
      if (send.quickReply ?? send.file?.quickReply) void client.invalidateQueries({ queryKey: replyKeys.all })
      void client.invalidateQueries({ queryKey: conversationQueries.one(conversationId).queryKey })
      // The chat of the contact becomes that of the conversation once this is among the open ones.
      if (!('contactId' in send)) return
      toast({ tone: 'success', title: 'Sucesso', description: 'Conversa iniciada com sucesso' })
      void client.invalidateQueries({ queryKey: conversationQueries.open().queryKey })
    },
    onError: (error, send) => {
      if (error instanceof UploadCancelled) return dropSend(client, send.clientMessageId)
      // Its confirmation was lost, but a live event brought the message, and its author has undone it.
      if (error instanceof ApiError && error.code === 'messages.undone') {
        forgetSend(send)
        return dropSend(client, send.clientMessageId)
      }
      storeSend({ ...send, refusal: error.message })
      // The person may be in another chat by now.
      if (send.file) toast({ tone: 'error', title: 'Erro no upload', description: uploadReason(error) })
      else
        toast({
          tone: 'error',
          title: send.isNote ? 'Erro ao salvar nota' : 'Erro ao enviar mensagem',
          description: error.message,
        })
    },
  }
}

async function postSend(send: Send): Promise<Message> {
  if (send.file) return uploadFile(send, send.file)
  const { content, clientMessageId, quoted, quickReply } = send
  // A call without an answer is repeated like a failed one.
  const signal = AbortSignal.timeout(30_000)
  if ('contactId' in send) {
    const params = { id: send.contactId }
    const body = { content, clientMessageId, quickReply, instanceId: send.instanceId }
    const { conversation, message }: { conversation?: { id?: number } | null; message: Message } = await call(
      sendToContact,
      { params, body, signal },
    )
    if (!conversation?.id) throw new MissingConversation()
    return message
  }
  if (send.isNote) {
    // Whoever writes one has loaded it.
    const { writeNote } = await import('#shared/messages/notes.ts')
    const params = { id: send.conversationId }
    const body = { content, clientMessageId, mentions: send.mentions }
    return call(writeNote, { params, body, signal })
  }
  return call(sendMessage, {
    params: { id: send.conversationId },
    body: {
      content,
      clientMessageId,
      quickReply,
      ...(quoted?.messageId && { quotedMessageId: quoted.messageId }),
    },
    signal,
  })
}

/** The answer to a first message names no conversation that it could have made. @see specification §8 Send */
class MissingConversation extends Error {
  constructor() {
    super('ID da conversa não encontrado')
  }
}

/** A cancelled upload is not repeated, nor what the server has answered. */
const cancelledStatus = 499

function statusOf(error: unknown): number {
  if (error instanceof UploadCancelled || error instanceof MissingConversation) return cancelledStatus
  return error instanceof ApiError ? error.status : 0
}

/** Not the library's own pause, which stops while the tab is hidden. */
export function pauseOrOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
    const timer = setTimeout(done, ms)
    const unsubscribe = onlineManager.subscribe((isOnline) => {
      if (isOnline) done()
    })
  })
}

function findSends(client: QueryClient, clientMessageId: string) {
  return client
    .getMutationCache()
    .findAll({ mutationKey: ['send'] })
    .filter((mutation) => (mutation.state.variables as Send | undefined)?.clientMessageId === clientMessageId)
}

function dropSend(client: QueryClient, clientMessageId: string): void {
  for (const mutation of findSends(client, clientMessageId)) {
    // The picture stays on the screen, but its bytes need not stay in memory.
    const { file } = (mutation.state.variables as Send | undefined) ?? {}
    if (file) URL.revokeObjectURL(file.url)
    client.getMutationCache().remove(mutation)
  }
}

/** After a reload: resumes pending sends, and shows refused ones again. */
export function restoreSends(client: QueryClient, userId: number): void {
  for (const { refusal, ...send } of storedSends(userId)) {
    if (findSends(client, send.clientMessageId).length > 0) continue
    const mutation = client.getMutationCache().build(client, sendOptions(client, send), {
      context: undefined,
      data: undefined,
      error: refusal === undefined ? null : new Error(refusal),
      failureCount: 0,
      failureReason: null,
      isPaused: false,
      status: refusal === undefined ? 'idle' : 'error',
      variables: send,
      submittedAt: send.composedAtMs,
    })
    // The refusal is kept in the mutation and shown in the timeline.
    if (refusal === undefined) mutation.execute(send).catch(() => undefined)
  }
}

interface Reaction {
  messageId: number
  /** '' removes the reaction. */
  emoji: string
}

function reactionKey(conversationId: number) {
  return ['react', conversationId]
}

/** Reacts to messages of a conversation, one call after the other, so that the last reaction wins. */
export function useReact(conversationId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: reactionKey(conversationId),
    scope: { id: `react-${conversationId}` },
    mutationFn: ({ messageId, emoji }: Reaction) =>
      call(reactToMessage, { params: { id: conversationId, messageId }, body: { emoji } }),
    onSuccess: (message) => patchMessage(client, message),
    onError: (error) => toast({ tone: 'error', title: 'Erro ao reagir', description: error.message }),
  })
}

/** The pending reactions by message id, shown before WhatsApp has them. */
export function usePendingReactions(conversationId: number): ReadonlyMap<number, string> {
  const pending = useMutationState({
    filters: { mutationKey: reactionKey(conversationId), status: 'pending' },
    select: ({ state }) => state.variables as Reaction,
  })
  return useMemo(() => new Map(pending.map(({ messageId, emoji }) => [messageId, emoji])), [pending])
}

/** Asks the server to send a refused message again. */
export function useRetryMessage(conversationId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (messageId: number) => call(retryMessage, { params: { id: conversationId, messageId } }),
    onSuccess: (message) => patchMessage(client, message),
  })
}
