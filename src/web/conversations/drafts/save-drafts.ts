import type { QueryClient } from '@tanstack/react-query'
import { maxTextLength } from '#shared/messages/messages.ts'
import { saveDraft } from '#shared/conversations/drafts.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { pauseOrOnline } from '#web/conversations/sends/send-mutations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { judgeFailure, pauseMs } from '#web/conversations/sends/sends.ts'
import {
  dropSaved,
  keepWritten,
  readWritten,
  subscribeSaved,
  type Written,
  writtenIn,
} from './local-drafts.ts'
import { patchDraft } from '#web/conversations/cache/patch-draft.ts'

/** The author of the drafts, and the cache that shows them. */
interface Writer {
  client: QueryClient
  userId: number
}

const typingMs = 600
/** The browser's limit for requests that outlive their page. */
const mostKeptAlive = 15_000

const waiting = new Map<number, ReturnType<typeof setTimeout>>()
const running = new Set<number>()

/** Saves the text of a conversation after a pause in typing. */
export function saveSoon(writer: Writer, conversationId: number): void {
  clearTimeout(waiting.get(conversationId))
  const timer = setTimeout(() => saveNow(writer, conversationId), typingMs)
  waiting.set(conversationId, timer)
}

/** Saves the text of a conversation now, also while the page is being closed. */
export function saveNow(writer: Writer, conversationId: number): void {
  clearTimeout(waiting.get(conversationId))
  waiting.delete(conversationId)
  // The save that is running checks again when it is done.
  if (running.has(conversationId)) return
  running.add(conversationId)
  void save(writer, conversationId).finally(() => running.delete(conversationId))
}

/** Whether a draft of the conversation is being saved. */
export function isSaving(conversationId: number) {
  return running.has(conversationId)
}

/** Cancels a save for text that never left this page. */
export function forgetSaving(conversationId: number): void {
  clearTimeout(waiting.get(conversationId))
  waiting.delete(conversationId)
}

function put(conversationId: number, { content, quoted }: Written) {
  return call(saveDraft, {
    params: { id: conversationId },
    body: { content, quotedMessageId: quoted?.messageId ?? null },
    keepalive: content.length < mostKeptAlive,
  })
}

/** One save at a time for each conversation, so that the last text written is the last one saved. */
async function save({ client, userId }: Writer, conversationId: number): Promise<void> {
  for (let attempt = 0; ;) {
    const written = readWritten(userId, conversationId)
    if (!written) return
    try {
      if (written.isBlind) {
        await unite({ client, userId }, conversationId)
        continue
      }
      const { draft } = await put(conversationId, written)
      patchDraft(client, conversationId, draft)
      attempt = 0
      if (readWritten(userId, conversationId) !== written) continue
      return dropSaved(userId, conversationId, draft)
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0
      // Writing is no longer allowed here; the text stays until it is sent or removed.
      if (judgeFailure(status, attempt) === 'refused') return
      await pauseOrOnline(pauseMs(attempt++))
    }
  }
}

/** Appends text that was begun without knowing the server's draft to that draft. */
async function unite({ client, userId }: Writer, conversationId: number): Promise<void> {
  const drafts = await client.ensureQueryData(conversationQueries.drafts())
  const written = readWritten(userId, conversationId)
  // Another tab may have done this meanwhile.
  if (!written?.isBlind) return
  const there = drafts.find((draft) => draft.conversationId === conversationId)
  const { isBlind: _isBlind, ...rest } = written
  keepWritten(userId, conversationId, {
    ...rest,
    content: [there?.content ?? '', rest.content].filter(Boolean).join('\n').slice(0, maxTextLength),
    quoted: rest.quoted ?? there?.quoted ?? null,
  })
}

/**
 * Saves after a reload whatever the server lacks, unless something newer was written elsewhere, and saves the
 * last keystrokes when the page is hidden or left.
 * @returns the function that stops it
 */
export function keepDraftsSaved(writer: Writer): () => void {
  void restore(writer)
  const stopHearing = subscribeSaved(({ conversationId, draft }) =>
    patchDraft(writer.client, conversationId, draft),
  )
  const onHide = () => {
    for (const conversationId of waiting.keys()) saveNow(writer, conversationId)
  }
  const onLeave = () => {
    // A page that is closing cannot wait for the running save.
    for (const conversationId of running) {
      const written = readWritten(writer.userId, conversationId)
      if (written && !written.isBlind) put(conversationId, written).catch(() => undefined)
    }
    onHide()
  }
  const onVisibility = () => document.visibilityState === 'hidden' && onHide()
  window.addEventListener('pagehide', onLeave)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    onHide()
    stopHearing()
    window.removeEventListener('pagehide', onLeave)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

async function restore(writer: Writer): Promise<void> {
  const { client, userId } = writer
  const ids = writtenIn(userId)
  if (ids.length === 0) return
  const saved = await client.fetchQuery(conversationQueries.drafts()).catch(() => [])
  for (const id of ids) {
    const written = readWritten(userId, id)
    const there = saved.find(({ conversationId }) => conversationId === id)
    const isOld = written && !written.isBlind && there && Date.parse(there.updatedAt) > written.atMs
    if (isOld && !running.has(id)) dropSaved(userId, id, there)
    else saveNow(writer, id)
  }
}
