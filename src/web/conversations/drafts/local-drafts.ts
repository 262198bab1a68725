/**
 * What was typed in this browser and is not on the server yet: kept at each stroke, so that neither a reload nor a tab that is
 * closed without a network loses it. What has been typed to a contact stays here until there is a conversation.
 */
import type { Draft } from '#shared/drafts.ts'

export interface Written {
  content: string
  quoted: Draft['quoted']
  /** When it was typed, by the server's clock. */
  atMs: number
  /** Begun before it was known what the server has: it is put behind that. */
  isBlind?: boolean
}

/** What a tab tells the others as it takes away what was written: the server has this. */
interface Saved {
  conversationId: number
  draft: Draft | null
}

interface Stored extends Written {
  saved?: Saved
}

const keyStart = 'balcao:draft:'
const prefixOf = (userId: number) => `${keyStart}${userId}:`
/** @param chat by its `chatKey` */
const keyOf = (userId: number, chat: number | string) => `${prefixOf(userId)}${chat}`

const listeners = new Set<() => void>()
const savedListeners = new Set<(saved: Saved) => void>()
/** As it was read, since the same text must be the same object. */
const known = new Map<string, { stored: string | null; written: Written | undefined }>()
/** Where the storage is full or forbidden the text is safe as long as the page lives. */
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
 * The server has it, as this: nothing is kept here any more. The other tabs are told first what it has, since with a line that
 * is down they would know of no text at all.
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

/** The conversations in which something was typed here that the server may not have. */
export function writtenIn(userId: number): number[] {
  const prefix = prefixOf(userId)
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => Number(key.slice(prefix.length)))
    .filter((id) => id > 0)
}

/** What was typed to a contact goes on in the conversation that has begun with him. */
export function moveWritten(userId: number, from: number | string, to: number): void {
  const written = readWritten(userId, from)
  if (!written) return
  keepWritten(userId, to, written)
  keepWritten(userId, from, undefined)
}

/** Calls after each change, in whichever tab of this browser. */
export function subscribeWritten(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Calls with what another tab has saved, before its text is gone from here. */
export function subscribeSaved(listener: (saved: Saved) => void): () => void {
  savedListeners.add(listener)
  return () => void savedListeners.delete(listener)
}

window.addEventListener('storage', ({ key, newValue }) => {
  // Without a key everything was taken away.
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
    // Nothing of ours stands there.
    return undefined
  }
}
