import { useMemo, useSyncExternalStore } from 'react'
import type { Colleague, LiveEvent } from '#shared/live-events.ts'
import { createEmitter } from '#web/platform/emitter.ts'
import { liveStatus, onLiveStatus } from '#web/platform/live/live.ts'
import {
  type ChatPresence,
  type Typing,
  withoutExpired,
  reducePresence,
  nextExpiry,
  noPresence,
} from './presence-state.ts'
import { useMe } from '#web/users/me-context.ts'

/**
 * Who else is in a chat, as pushed over the live link. It is never fetched, and unknown while the link is
 * down.
 */
let state = noPresence
let timer: ReturnType<typeof setTimeout> | undefined
const changes = createEmitter<void>()

/** Shows who has a chat open and who types in it. */
export function showChatPresence(event: LiveEvent): void {
  setState(reducePresence(state, event, performance.now()))
}

function setState(next: ChatPresence): void {
  if (next === state) return
  state = next
  clearTimeout(timer)
  const end = nextExpiry(state)
  if (end !== undefined)
    timer = setTimeout(
      () => setState(withoutExpired(state, performance.now())),
      Math.max(0, end - performance.now() + 1),
    )
  changes.emit()
}

onLiveStatus(() => {
  if (liveStatus() !== 'open') setState(noPresence)
})

const noColleagues: readonly Colleague[] = []
const noTyping: readonly Typing[] = []

/** Colleagues who have the chat open. */
export function useViewers(conversationId: number): readonly Colleague[] {
  const { id } = useMe()
  const all = useSyncExternalStore(changes.on, () => state.viewing.get(conversationId) ?? noColleagues)
  return useMemo(() => all.filter((person) => person.id !== id), [all, id])
}

/** Who is typing in the chat: the client and colleagues. */
export function useTyping(conversationId: number): readonly Typing[] {
  const { id } = useMe()
  const all = useSyncExternalStore(changes.on, () => state.typing.get(conversationId) ?? noTyping)
  return useMemo(() => all.filter(({ by }) => by?.id !== id), [all, id])
}

/** The colleagues who are typing in the chat, for use outside React. */
export function typingColleagues(conversationId: number, ownId: number): Colleague[] {
  return (state.typing.get(conversationId) ?? noTyping).flatMap(({ by }) =>
    by && by.id !== ownId ? [by] : [],
  )
}
