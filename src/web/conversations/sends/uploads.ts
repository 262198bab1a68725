/** Uploads on their way to the server: their progress, and how to cancel them. */
import { useSyncExternalStore } from 'react'
import type { Message } from '#shared/messages/messages.ts'
import { uploadMedia } from '#shared/messages/media.ts'
import { ApiError, upload } from '#web/platform/api/api.ts'
import type { Send, SentFile } from './sends.ts'

export class UploadCancelled extends Error {
  override readonly name = 'UploadCancelled'
}

/** Without progress for this long the connection is dead, and the upload is tried again. */
const stalledMs = 60_000

const running = new Map<string, { part: number; abort: AbortController }>()
const listeners = new Set<() => void>()
function notifyListeners() {
  return listeners.forEach((listener) => listener())
}

/** One attempt. @throws UploadCancelled when the person cancelled it, and as `upload` does */
export async function uploadFile(send: Send, sent: SentFile): Promise<Message> {
  const abort = new AbortController()
  const watch = { timer: 0 }
  const begin = () => {
    clearTimeout(watch.timer)
    watch.timer = window.setTimeout(() => abort.abort(new Error('upload stalled')), stalledMs)
  }
  begin()
  running.set(send.clientMessageId, { part: 0, abort })
  notifyListeners()
  try {
    const { message } = await upload(uploadMedia, formOf(send, sent), {
      signal: abort.signal,
      onProgress: (part) => {
        begin()
        running.set(send.clientMessageId, { part, abort })
        notifyListeners()
      },
    })
    return message
  } finally {
    clearTimeout(watch.timer)
    running.delete(send.clientMessageId)
    notifyListeners()
  }
}

/**
 * Why a file was refused, for its sender. The raw form, 'Upload failed: {status} - {body}', is for whoever
 * looks for the cause, and stands in the console alone: any refusal of an upload brings it there.
 * @see specification §8
 */
export function uploadReason(error: Error): string {
  if (!(error instanceof ApiError)) return error.message
  console.warn(`Upload failed: ${error.status} - ${error.body}`)
  return error.userMessage ?? 'Não foi possível enviar o arquivo. Tente novamente.'
}

/** Cancels an upload that is under way. */
export function cancelUpload(clientMessageId: string): void {
  running.get(clientMessageId)?.abort.abort(new UploadCancelled())
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether any file is being uploaded. */
export function useIsUploading(): boolean {
  return useSyncExternalStore(subscribe, () => running.size > 0)
}

/** The uploaded share of a file, from 0 to 1; undefined while it is not being uploaded. */
export function useUploadProgress(clientMessageId: string | undefined): number | undefined {
  return useSyncExternalStore(subscribe, () =>
    clientMessageId === undefined ? undefined : running.get(clientMessageId)?.part,
  )
}

/** Fields come first: the server reads in order, and refuses before it has received the file. */
function formOf(send: Send, { file, isVoice, quickReply, seconds, width, height }: SentFile): FormData {
  const form = new FormData()
  const fields = {
    ...('contactId' in send
      ? { contactId: send.contactId, instanceId: send.instanceId }
      : { conversationId: send.conversationId }),
    clientMessageId: send.clientMessageId,
    caption: send.content || undefined,
    quotedMessageId: send.quoted?.messageId ?? undefined,
    isVoice,
    quickReply,
    isNote: send.isNote,
    mentions: send.mentions && JSON.stringify(send.mentions),
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
