import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import type { Me } from '#shared/users/users.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useChangeDraft } from '#web/conversations/drafts/use-draft.ts'
import { loadedAhead } from '#web/ui/on-demand.tsx'
import type { Composing } from './undo-send.ts'

const load = loadedAhead(() => import('./undo-send.ts'))

/** Undoes a send of the person; what it needs is loaded with the first one. */
export function useUndo(
  conversationId: number,
  me: Me,
  field: Composing['field'],
  attach: Composing['attach'],
): (message: Message) => void {
  const client = useQueryClient()
  const { change } = useChangeDraft(
    me.id,
    useMemo(() => ({ conversationId }), [conversationId]),
  )
  return useCallback(
    (message) =>
      void load().then(
        ({ undoSend }) => undoSend({ client, change, attach, field }, message),
        () => toast({ tone: 'error', title: 'Não foi possível desfazer', description: 'Tente novamente.' }),
      ),
    [client, change, attach, field],
  )
}
