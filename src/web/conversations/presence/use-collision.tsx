import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import { typingColleagues } from '#web/users/users.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { answerSince } from './answer-since.ts'
import { firstName, typistsOf } from './presence-texts.ts'

const CollisionDialog = onDemand(async () => (await import('./collision-dialog.tsx')).CollisionDialog)

/**
 * Asks for confirmation before sending while a colleague is typing, or has answered since the message was
 * begun. It asks once for each message.
 */
export function useCollision({
  conversationId,
  userId,
  text,
  field,
}: {
  conversationId: number | undefined
  userId: number
  text: string
  /** Receives the focus afterwards. */
  field: RefObject<HTMLTextAreaElement | null>
}): { guard: (send: () => void) => void; question: ReactNode } {
  const client = useQueryClient()
  const [asked, setAsked] = useState<{ words: string; send: () => void }>()
  const hasAsked = useRef(false)
  /** The newest message when this one was begun. */
  const knownId = useRef<number | undefined>(undefined)
  const isEmpty = text === ''

  const messages = (): Message[] =>
    conversationId === undefined
      ? []
      : (client.getQueryData(conversationQueries.messages(conversationId).queryKey)?.pages.flat() ?? [])
  useEffect(() => {
    if (isEmpty) hasAsked.current = false
    if (isEmpty) knownId.current = undefined
    // A draft may be loaded before the messages.
    else knownId.current ??= newest(messages())
  })

  const reason = (): string | undefined => {
    if (conversationId === undefined) return undefined
    const typing = typingColleagues(conversationId, userId)
    if (typing.length > 0) return typistsOf(typing.map(({ name }) => name))
    const answer = isEmpty ? undefined : answerSince(messages(), knownId.current, userId)
    return answer && `${firstName(answer)} acabou de responder`
  }
  const guard = (send: () => void) => {
    const words = hasAsked.current ? undefined : reason()
    if (words === undefined) return send()
    hasAsked.current = true
    setAsked({ words, send })
  }
  const close = () => {
    setAsked(undefined)
    setTimeout(() => field.current?.focus(), 0)
  }
  const question = asked && (
    <CollisionDialog
      words={asked.words}
      onClose={close}
      onSend={() => {
        close()
        asked.send()
      }}
    />
  )
  return { guard, question }
}

function newest(messages: readonly Message[]) {
  return messages.reduce<number | undefined>(
    (most, { id }) => (most === undefined || id > most ? id : most),
    undefined,
  )
}
