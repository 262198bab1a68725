import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { undoFinalize, undoFinalizeMs } from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { unknownContact } from '#shared/text/text.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { toast, toastStore } from '#web/ui/states/toast.ts'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import type { GoOn } from '#web/conversations/hand-over/go-on.tsx'
import { isInChat, toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { isOpenAgain, onOpenAgain } from './kept-open.ts'

/** The notes of ends that came to nothing, by conversation: they are there when it is finalized anew. */
const keptNotes = new Map<number, string>()

export function noteToKeep(conversationId: number): string {
  return keptNotes.get(conversationId) ?? ''
}

/**
 * Leaves the chat of a conversation that has been finalized, and says so with a way to undo it. When the
 * client writes before they are told of the end, that is said instead, and whoever is still there stays.
 */
export function useToldEnd({ id, contact }: Conversation, goOn: GoOn) {
  const client = useQueryClient()
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
  const undo = async (notes: string) => {
    try {
      const { conversation } = await call(undoFinalize, { params: { id } })
      keptNotes.set(id, notes)
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
      keptNotes.set(id, notes)
      lead()
      if (error instanceof ApiError) sayKeptOpen()
    }
  }
  return (ended: Conversation, notes: string, isForNext: boolean) => {
    if (isOpenAgain(client, ended)) {
      keptNotes.set(id, notes)
      return sayKeptOpen()
    }
    const stay = goOn.leave(isForNext, () => isOpenAgain(client, ended))
    toast({
      tone: 'success',
      title: 'Atendimento finalizado!',
      ...(isForNext && goOn.nextName !== undefined && { description: `Próxima: ${goOn.nextName}` }),
      action: {
        label: 'Desfazer',
        forMs: undoFinalizeMs,
        onClick: () => {
          stopWatching()
          stay()
          void undo(notes)
        },
      },
    })
    const told = toastStore.get()
    const stopWatching = onOpenAgain(client, ended, () => {
      keptNotes.set(id, notes)
      if (toastStore.get() === told) sayKeptOpen()
    })
  }
}
