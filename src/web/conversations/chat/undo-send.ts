import type { QueryClient } from '@tanstack/react-query'
import { undoSend as undoSendCall } from '#shared/messages/message-changes.ts'
import type { Message } from '#shared/messages/messages.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'
import { dropMessage } from '#web/conversations/cache/live-patches.ts'
import type { useAttachments } from '#web/conversations/attachments/use-attachments.ts'
import type { useChangeDraft } from '#web/conversations/drafts/use-draft.ts'
import { sentFileOf } from '#web/conversations/sends/sent-files.ts'

/** The parts of the composer that get back what was undone. */
export interface Composing {
  client: QueryClient
  change: ReturnType<typeof useChangeDraft>['change']
  attach: ReturnType<typeof useAttachments>['add']
  field: { readonly current: HTMLTextAreaElement | null }
}

const underWay = new Set<number>()

/** Undoes a send and gives its text, quote and file back to the composer; a refusal is toasted. */
export async function undoSend(composing: Composing, message: Message): Promise<void> {
  if (underWay.has(message.id)) return
  underWay.add(message.id)
  try {
    await askToUndo(message)
  } catch (error) {
    const description = error instanceof Error ? error.message : undefined
    toast({ tone: 'error', title: 'Não foi possível desfazer', ...(description && { description }) })
    return
  } finally {
    underWay.delete(message.id)
  }
  dropMessage(composing.client, message)
  giveBack(composing, message)
}

/** A call without an answer may have had its effect, so it is made once more. */
async function askToUndo({ conversationId, id: messageId }: Message): Promise<void> {
  const ask = () =>
    call(undoSendCall, { params: { id: conversationId, messageId }, signal: AbortSignal.timeout(10_000) })
  try {
    await ask()
  } catch (error) {
    if (error instanceof ApiError) throw error
    await ask().catch((second: unknown) => {
      if (!(second instanceof ApiError && second.code === 'messages.not_found')) throw second
    })
  }
}

function giveBack({ change, attach, field }: Composing, message: Message): void {
  const { clientMessageId, content, fileUrl, quoted } = message
  const sent = sentFileOf(clientMessageId)
  if (sent) {
    const { file, url: _revoked, ...facts } = sent.file
    void attach([file], sent.caption, facts)
  } else if (fileUrl !== null) {
    toast({ title: 'Envio desfeito', description: 'Anexe o arquivo de novo para enviá-lo.' })
  }
  const text = fileUrl === null ? content : ''
  change((now) => ({
    // What has been written meanwhile stays, behind it.
    content: [text, now.content].filter((part) => part !== '').join('\n'),
    quoted: now.quoted ?? quoted,
  }))
  field.current?.focus()
  field.current?.setSelectionRange(text.length, text.length)
}
