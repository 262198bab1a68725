/**
 * Text typed in this browser that the server may not have yet. It is stored at every keystroke, so that
 * neither a reload nor closing an offline tab loses it. Text to a contact without a conversation is kept here
 * only.
 */
import type { Draft } from '#shared/conversations/drafts.ts'
import type { Mention } from '#shared/messages/message-metadata.ts'

export interface Written {
  content: string
  quoted: Draft['quoted']
  /** When it was typed, by the server's clock. */
  atMs: number
  /** Of a note: whom it mentions. */
  mentions?: readonly Mention[]
  /** Begun before the server's draft was known; it is appended to that one. */
  isBlind?: boolean
}

/** What a tab announces to others as it removes its text: the server has this draft now. */
interface Saved {
  conversationId: number
  draft: Draft | null
}

interface Stored extends Written {
  saved?: Saved
}

const keyStart = 'balcao:draft:'
function prefixOf(userId: number) {
  return `${keyStart}${userId}:`
}
/** @param chat from `chatKey` */
function keyOf(userId: number, chat: number | string) {
  return `${prefixOf(userId)}${chat}`
}

const listeners = new Set<() => void>()
const savedListeners = new Set<(saved: Saved) => void>()
/** Cached by its stored string, since the same text must be the same object. */
const known = new Map<string, { stored: string | null; written: Written | undefined }>()
/** If storage is full or forbidden, the text is kept until the page is closed. */
const unstored = new Map<string, string>()

export function readWritten(userId: number, chat: number | string): Written | undefined {
  const key = keyOf(userId, chat)
  const stored = unstored.get(key) ?? storedAt(key)
  const last = known.get(key)
  if (last?.stored === stored) return last.written
  const written = parsed(stored)
  known.set(key, { stored, written })
  return written
}

export function keepWritten(userId: number, chat: number | string, written: Written | undefined): void {
  const key = keyOf(userId, chat)
  unstored.delete(key)
  const stored = written && JSON.stringify(written)
  try {
    if (stored === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, stored)
  } catch (error) {
    console.warn('The draft could not be kept for a reload', error)
    if (stored !== undefined) unstored.set(key, stored)
  }
  listeners.forEach((listener) => listener())
}

/**
 * Removes text that the server has saved as `draft`. The other tabs receive the draft first: offline, they
 * would otherwise be left without any text.
 */
export function dropSaved(userId: number, conversationId: number, draft: Draft | null): void {
  const written = readWritten(userId, conversationId)
  const stored: Stored | undefined = written && { ...written, saved: { conversationId, draft } }
  try {
    if (stored) localStorage.setItem(keyOf(userId, conversationId), JSON.stringify(stored))
  } catch (error) {
    console.warn('The other tabs could not be told of a draft', error)
  }
  keepWritten(userId, conversationId, undefined)
}

/** The conversations with text that the server may not have. */
export function writtenIn(userId: number): number[] {
  const prefix = prefixOf(userId)
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => Number(key.slice(prefix.length)))
    .filter((id) => id > 0)
}

/** Calls the listener after each change, in whichever tab of this browser. */
export function subscribeWritten(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Calls the listener with a draft that another tab has saved, before its text is removed here. */
export function subscribeSaved(listener: (saved: Saved) => void): () => void {
  savedListeners.add(listener)
  return () => void savedListeners.delete(listener)
}

window.addEventListener('storage', ({ key, newValue }) => {
  // Without a key, the whole storage was cleared.
  if (key !== null && !key.startsWith(keyStart)) return
  const saved = parsed(newValue)?.saved
  if (saved) savedListeners.forEach((listener) => listener(saved))
  listeners.forEach((listener) => listener())
})

function storedAt(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch (error) {
    console.warn('The draft could not be read', error)
    return null
  }
}

function parsed(stored: string | null): Stored | undefined {
  if (stored === null) return undefined
  try {
    return JSON.parse(stored) as Stored
  } catch {
    // Not a draft.
    return undefined
  }
}
