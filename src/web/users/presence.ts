import { useMemo, useSyncExternalStore } from 'react'
import type { Colleague, LiveEvent } from '#shared/live-events.ts'
import { createEmitter } from '#web/platform/emitter.ts'
import { liveStatus, onLiveStatus } from '#web/platform/live.ts'
import { type CompanyState, type Doing, expired, heard, nextEnd, nobody } from './presence-store.ts'
import { useMe } from './me-context.ts'

/** Who else is viewing or typing in a chat, as pushed by the live link. Never fetched. */
let state = nobody
let timer: ReturnType<typeof setTimeout> | undefined
const changes = createEmitter<void>()

export function hearOfCompany(event: LiveEvent): void {
  become(heard(state, event, performance.now()))
}

function become(next: CompanyState): void {
  if (next === state) return
  state = next
  clearTimeout(timer)
  const end = nextEnd(state)
  if (end !== undefined)
    timer = setTimeout(
      () => become(expired(state, performance.now())),
      Math.max(0, end - performance.now() + 1),
    )
  changes.tell()
}

onLiveStatus(() => {
  if (liveStatus() !== 'open') become(nobody)
})

const noColleagues: readonly Colleague[] = []
const noDoings: readonly Doing[] = []

/** Colleagues who have the chat open. */
export function useViewers(conversationId: number): readonly Colleague[] {
  const { id } = useMe()
  const all = useSyncExternalStore(changes.on, () => state.viewing.get(conversationId) ?? noColleagues)
  return useMemo(() => all.filter((person) => person.id !== id), [all, id])
}

/** Activity of the client and colleagues in the chat. */
export function useDoings(conversationId: number): readonly Doing[] {
  const { id } = useMe()
  const all = useSyncExternalStore(changes.on, () => state.doings.get(conversationId) ?? noDoings)
  return useMemo(() => all.filter(({ by }) => by?.id !== id), [all, id])
}

/** The colleagues typing in the chat, outside React. */
export function whoTypes(conversationId: number, ownId: number): Colleague[] {
  return (state.doings.get(conversationId) ?? noDoings).flatMap(({ by }) =>
    by && by.id !== ownId ? [by] : [],
  )
}
