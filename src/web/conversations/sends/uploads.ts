/** Files on their way to the server: how far each is, and the way to take it back. */
import { useCallback, useSyncExternalStore } from 'react'
import type { Message } from '#shared/messages.ts'
import { uploadMedia } from '#shared/media.ts'
import { ApiError, upload } from '#web/platform/api.ts'
import type { Send, SentFile } from './sends.ts'

export class UploadCancelled extends Error {
  override readonly name = 'UploadCancelled'
}

/** Nothing has gone for so long: the line is dead, and it is tried again. */
const stalledMs = 60_000

const running = new Map<string, { part: number; abort: AbortController }>()
const listeners = new Set<() => void>()
const tell = () => listeners.forEach((listener) => listener())

/** One try. @throws UploadCancelled when the person took it back, and as `upload` */
export async function uploadFile(send: Send, sent: SentFile): Promise<Message> {
  const abort = new AbortController()
  const watch = { timer: 0 }
  const begin = () => {
    clearTimeout(watch.timer)
    watch.timer = window.setTimeout(() => abort.abort(new Error('upload stalled')), stalledMs)
  }
  begin()
  running.set(send.clientMessageId, { part: 0, abort })
  tell()
  try {
    const { message } = await upload(uploadMedia, formOf(send, sent), {
      signal: abort.signal,
      onProgress: (part) => {
        begin()
        running.set(send.clientMessageId, { part, abort })
        tell()
      },
    })
    return message
  } finally {
    clearTimeout(watch.timer)
    running.delete(send.clientMessageId)
    tell()
  }
}

/** Why a file was not taken, for whoever sent it; what really came stands in the browser's console. @see specification §8 */
export function uploadReason(error: Error): string {
  if (!(error instanceof ApiError)) return error.message
  console.warn(`Upload failed: ${error.status} - ${error.body}`)
  return error.said ?? 'Não foi possível enviar o arquivo. Tente novamente.'
}

/** Takes a file back that is on its way. */
export function cancelUpload(clientMessageId: string): void {
  running.get(clientMessageId)?.abort.abort(new UploadCancelled())
}

/** How much of a file has gone, from 0 to 1; undefined when it is not on its way at this moment. */
export function useUploadProgress(clientMessageId: string | undefined): number | undefined {
  return useSyncExternalStore(
    useCallback((listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }, []),
    () => (clientMessageId === undefined ? undefined : running.get(clientMessageId)?.part),
  )
}

/** The fields first: the server reads in order, and refuses before it has taken the file. */
function formOf(send: Send, { file, isVoice, seconds, width, height }: SentFile): FormData {
  const form = new FormData()
  const fields = {
    ...('contactId' in send ? { contactId: send.contactId } : { conversationId: send.conversationId }),
    clientMessageId: send.clientMessageId,
    caption: send.content || undefined,
    quotedMessageId: send.quoted?.messageId ?? undefined,
    isVoice,
    seconds,
    width,
    height,
  }
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, String(value))
  form.set('file', file, file.name)
  return form
}

window.addEventListener('beforeunload', (event) => {
  if (running.size > 0) event.preventDefault()
})
