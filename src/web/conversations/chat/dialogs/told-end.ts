import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { undoFinalize } from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { unknownContact } from '#shared/text/text.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { toast, toastStore } from '#web/ui/states/toast.ts'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import type { GoOn } from '#web/conversations/hand-over/go-on.tsx'
import { type End, isInChat, toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { useUndoMs } from '#web/conversations/hand-over/undo-time.ts'
import { isOpenAgain, onOpenAgain } from './kept-open.ts'

/** What was said of ends that came to nothing, by conversation: it is there when it is finalized anew. */
const keptEnds = new Map<number, End>()

export function endToKeep(conversationId: number): End {
  return keptEnds.get(conversationId) ?? { notes: '', reasonId: undefined, tagIds: [] }
}

/**
 * Leaves the chat of a conversation that has been finalized, and says so with a way to undo it. When the
 * client writes before they are told of the end, that is said instead, and whoever is still there stays.
 */
export function useToldEnd({ id, contact }: Conversation, goOn: GoOn) {
  const client = useQueryClient()
  const undoMs = useUndoMs()
  const [, navigate] = useLocation()
  const lead = () => navigate(`/chat?conversation=${id}`)
  const sayKeptOpen = () =>
    toast({
      tone: 'info',
      title: 'O cliente escreveu: a conversa continua',
      ...(!isInChat(id) && {
        description: contact.name || unknownContact,
        action: { label: 'Abrir', onClick: lead },
      }),
    })
  const undo = async (end: End) => {
    try {
      const { conversation } = await call(undoFinalize, { params: { id } })
      keptEnds.set(id, end)
      patchConversation(client, id, conversation)
      // Those of an ended conversation are not listed: without them all of it would be unread.
      await client.refetchQueries({ queryKey: conversationQueries.reads().queryKey })
      toast({ tone: 'info', title: 'Finalização desfeita' })
      lead()
    } catch (error) {
      // The client may have written first, or an answer was lost.
      const now = await client
        .fetchQuery({ ...conversationQueries.one(id), staleTime: 0 })
        .catch(() => undefined)
      if (!now || now.status === 'completed') return toastRefusal('Não foi possível desfazer', error as Error)
      keptEnds.set(id, end)
      lead()
      if (error instanceof ApiError) sayKeptOpen()
    }
  }
  return (ended: Conversation, end: End & { reasonPath?: string | undefined }, isForNext: boolean) => {
    if (isOpenAgain(client, ended)) {
      keptEnds.set(id, end)
      return sayKeptOpen()
    }
    const stay = goOn.leave(isForNext, () => isOpenAgain(client, ended))
    toast({
      tone: 'success',
      title: 'Atendimento finalizado!',
      ...toldOf(end.reasonPath, isForNext ? goOn.nextName : undefined),
      ...(undoMs > 0 && {
        action: {
          label: 'Desfazer',
          forMs: undoMs,
          onClick: () => {
            stopWatching()
            stay()
            void undo(end)
          },
        },
      }),
    })
    const told = toastStore.get()
    const stopWatching = onOpenAgain(client, ended, () => {
      keptEnds.set(id, end)
      if (toastStore.get() === told) sayKeptOpen()
    })
  }
}

/** 'Motivo: Financeiro › Segunda via. Próxima: Ana' */
function toldOf(reason: string | undefined, next: string | undefined): { description?: string } {
  const parts = [
    reason !== undefined && `Motivo: ${reason}`,
    next !== undefined && `Próxima: ${next}`,
  ].filter((part) => part !== false)
  return parts.length > 0 ? { description: parts.join('. ') } : {}
}
