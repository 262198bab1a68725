import { useState } from 'react'
import { keepPlace } from '#web/conversations/cache/list-place.ts'

/** Of this browser tab, and of the person: another who signs in here has not left the list. */
const keyOf = (userId: number) => `list-place ${userId}`
let restoredFor: number | undefined

/** Remembers where the list was left, so that the reload of a chat leads to no other tab of it. */
export function storePlace(userId: number, search: string): void {
  restoredFor = userId
  sessionStorage.setItem(keyOf(userId), search)
  keepPlace(search)
}

/** Returns the list beside a chat to its place before the reload. */
export function useRestoredPlace(userId: number): void {
  // While it is rendered first, since what stands in the chat leads to the place, and nobody listens yet.
  useState(() => {
    if (restoredFor === userId) return
    restoredFor = userId
    const stored = sessionStorage.getItem(keyOf(userId))
    if (stored !== null) keepPlace(stored)
  })
}
