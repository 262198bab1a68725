import { useIsMutating } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import { useAttention } from '#web/platform/browser/attention.ts'
import { useMe } from '#web/users/users.tsx'
import { finalizeKey } from '#web/conversations/mutations/conversation-mutations.ts'
import { useMarkRead, useUnread } from '#web/conversations/mutations/reads.ts'

/** Shorter visits do not count as reading. */
const lookedAtMs = 400

/**
 * Marks an open chat as read while its newest message is being looked at: once for each message of the
 * contact, again when the conversation is assigned to this person, since the client may then be sent a read
 * receipt, and again on returning to something unread. An ended conversation is not.
 * @param confirmed the loaded messages
 * @param isAtEnd whether the newest one is on the screen
 */
export function useReadingOf(
  conversation: Conversation,
  confirmed: readonly Message[],
  isAtEnd: boolean,
): void {
  const { id: userId } = useMe()
  const isAttended = useAttention()
  const markRead = useMarkRead(conversation)
  const isUnread = useUnread()(conversation) > 0
  const isMine = conversation.assignedUserId === userId
  const newest = newestOf(confirmed.filter(isOfContact)) || conversation.contactMessageCount
  const wanted = `${newest} ${isMine}`
  const done = useRef('')
  const read = useRef(() => {})
  useEffect(() => {
    read.current = () => {
      if (done.current === wanted && !isUnread) return
      done.current = wanted
      markRead(newestOf(confirmed))
    }
  })
  const hasEnded = useHasEnded(conversation)
  const isDue = isAttended && isAtEnd && confirmed.length > 0 && !hasEnded
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => read.current(), lookedAtMs)
    return () => clearTimeout(timer)
  }, [isDue, wanted])
}

/** What a person does who is in the chat. */
const signs = ['pointerdown', 'keydown', 'wheel'] as const

/**
 * Whether this chat has shown the end of the conversation, or the person has just asked for it: they are done
 * with it. Should the client keep it open, they attend to it only once they do something again.
 */
function useHasEnded({ id, status }: Conversation): boolean {
  const isEnding = useIsMutating({ mutationKey: finalizeKey(id) }) > 0
  const isOver = isEnding || status === 'completed'
  const [hasEnded, setHasEnded] = useState(isOver)
  if (isOver && !hasEnded) setHasEnded(true)
  const isOpenAgain = hasEnded && !isOver
  useEffect(() => {
    if (!isOpenAgain) return
    const attend = () => setHasEnded(false)
    // Before whatever handles it, and may keep it to itself.
    for (const sign of signs) document.addEventListener(sign, attend, true)
    return () => {
      for (const sign of signs) document.removeEventListener(sign, attend, true)
    }
  }, [isOpenAgain])
  return hasEnded
}

function isOfContact({ senderType, messageType }: Message) {
  return senderType === 'contact' && isCountedMessage(messageType)
}

/** By arrival: messages that arrive late are further up. */
function newestOf(messages: readonly Message[]): number {
  return messages.reduce((newest, { id }) => Math.max(newest, id), 0)
}
