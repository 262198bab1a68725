import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { undoFinalize } from '#shared/conversations/conversation-endpoints.ts'
import { call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'

/** The notes of finalizations that were undone, by conversation: they are there when it is finalized anew. */
const notesOfUndone = new Map<number, string>()

export function noteToKeep(conversationId: number): string {
  return notesOfUndone.get(conversationId) ?? ''
}

/** Undoes the finalization of a conversation, and leads back to it; a refusal is toasted. */
export function useUndoFinalize(id: number): (notes: string) => Promise<void> {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const lead = () => navigate(`/chat?conversation=${id}`)
  return async (notes) => {
    try {
      const { conversation } = await call(undoFinalize, { params: { id } })
      notesOfUndone.set(id, notes)
      patchConversation(client, id, conversation)
      toast({ tone: 'info', title: 'Finalização desfeita' })
      lead()
    } catch (error) {
      // The client may have written first, or an answer was lost.
      const now = await client
        .fetchQuery({ ...conversationQueries.one(id), staleTime: 0 })
        .catch(() => undefined)
      if (now && now.status !== 'completed') lead()
      else toastRefusal('Não foi possível desfazer', error as Error)
    }
  }
}
