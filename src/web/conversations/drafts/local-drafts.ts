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
}

const prefixOf = (userId: number) => `balcao:draft:${userId}:`
/** @param chat by its `chatKey` */
const keyOf = (userId: number, chat: number | string) => `${prefixOf(userId)}${chat}`

const listeners = new Set<() => void>()
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
  const onStorage = ({ key }: StorageEvent) => {
    if (key?.startsWith('balcao:draft:')) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

function storedAt(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch (error) {
    console.warn('The draft could not be read', error)
    return null
  }
}

function parsed(stored: string | null): Written | undefined {
  if (stored === null) return undefined
  try {
    return JSON.parse(stored) as Written
  } catch {
    // Nothing of ours stands there.
    return undefined
  }
}
