import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useLocation } from 'wouter'
import { takeNextConversation } from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { compareBy, isQueued } from '#shared/conversations/list-view.ts'
import { unknownContact } from '#shared/text/text.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { storedChoice } from '#web/platform/browser/stored.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { isInChat, toastRefusal, useLeaveChat } from '#web/conversations/mutations/conversation-mutations.ts'

const choices = new Map<number, ReturnType<typeof storedChoice<boolean>>>()

/**
 * Whether a person goes on to the next conversation; people who share a browser choose each for themselves.
 */
function nextChoice(userId: number) {
  const choice =
    choices.get(userId) ?? storedChoice<boolean>(`go_next_${userId}`, (stored) => stored === 'true')
  choices.set(userId, choice)
  return choice
}

/**
 * Where a person goes after a conversation is finalized or transferred: to the list, or on to the next
 * conversation. That is the one of their own whose client waits longest; if none waits, the first of the
 * queue, which they take: two people who go on at the same moment would otherwise open the same chat.
 */
export function useGoNext(conversationId: number) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const { id: userId } = useMe()
  const mayTake = useCan('takeNext')
  const leave = useLeaveChat(conversationId)
  const choice = nextChoice(userId)
  const isChosen = choice.use()
  const { data: rows = [] } = useQuery(conversationQueries.open())
  const mine = (given: readonly Conversation[]) =>
    given
      .filter(
        (row) => row.assignedUserId === userId && row.id !== conversationId && row.waitingSince !== null,
      )
      .sort(compareBy.waiting)[0]
  const isQueueNext = mayTake && rows.some((row) => isQueued(row) && row.id !== conversationId)

  const goOn = async (): Promise<void> => {
    const open = (id: number) => isInChat(conversationId) && navigate(`/chat?conversation=${id}`)
    // The list as it is now: the calls before have changed it.
    const next = mine(client.getQueryData(conversationQueries.open().queryKey) ?? [])
    if (next) open(next.id)
    else if (!mayTake) leave()
    else {
      try {
        const { conversation } = await call(takeNextConversation)
        patchConversation(client, conversation.id, conversation)
        open(conversation.id)
      } catch (error) {
        const isEmpty = error instanceof ApiError && error.code === 'conversations.queue_empty'
        if (!isEmpty) toastRefusal('Erro ao assumir a próxima conversa', error as Error)
        leave()
      }
    }
  }
  /** From a list there is nowhere to go. */
  const isOffered = isInChat(conversationId)
  const isOn = isOffered && isChosen
  return {
    isOffered,
    isOn,
    set: choice.set,
    hint: hintOf(mine(rows), isQueueNext),
    /** Leaves the chat in the chosen way. */
    leave: () => (isOn ? void goOn() : leave()),
  }
}

/** What going on would lead to now. */
function hintOf(mine: Conversation | undefined, isQueueNext: boolean): string {
  if (mine) return `Minha: ${mine.contact.name || unknownContact}, que espera há mais tempo.`
  return isQueueNext ? 'Assume a próxima da fila.' : 'Ninguém espera agora: volta para a lista.'
}

/** The choice in a dialog, with what it would lead to now. */
export function GoNext({ goNext }: { goNext: ReturnType<typeof useGoNext> }) {
  const hintId = useId()
  if (!goNext.isOffered) return null
  return (
    <label className="flex min-h-8 items-start gap-2 text-sm">
      <input
        type="checkbox"
        checked={goNext.isOn}
        aria-describedby={hintId}
        onChange={(event) => goNext.set(event.target.checked)}
        className="mt-0.5 size-4 flex-none accent-accent"
      />
      <span className="min-w-0">
        Ir para a próxima conversa
        <span id={hintId} className="block truncate text-xs text-ink-2">
          {goNext.hint}
        </span>
      </span>
    </label>
  )
}
