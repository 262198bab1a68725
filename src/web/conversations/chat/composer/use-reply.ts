import { type RefObject, useRef } from 'react'
import { flushSync } from 'react-dom'
import { maxTextLength } from '#shared/messages/messages.ts'
import type { Me } from '#shared/users/users.ts'
import type { Recorded } from '#web/media/media.tsx'
import { serverNow } from '#web/platform/live/server-clock.ts'
import type { Attachment } from '#web/conversations/attachments/attachments-dialog.tsx'
import { useCollision } from '#web/conversations/presence/use-collision.tsx'
import { useSendTyping } from '#web/conversations/presence/use-send-typing.ts'
import { useDraft } from '#web/conversations/drafts/use-draft.ts'
import { newClientMessageId } from '#web/conversations/sends/new-client-message-id.ts'
import { useSendMessage } from '#web/conversations/sends/send-mutations.ts'
import {
  type Chat,
  composedNow,
  conversationIn,
  type Send,
  type SentFile,
} from '#web/conversations/sends/sends.ts'
import { gapIn, toastMissingValues, useGaps } from './gaps.ts'
import type { Range, ResolvedReply } from './quick-replies.ts'
import { type Editing, useEdit } from './use-edit.ts'

export interface ReplyProps {
  chat: Chat
  me: Me
  /** The message being edited and its initial text; the draft is kept meanwhile. */
  editing?: Editing | undefined
  onEditDone?: () => void
  field: RefObject<HTMLTextAreaElement | null>
  attachments: readonly Attachment[]
  onFiles: (files: readonly File[], caption?: string, facts?: Partial<SentFile>) => void
  onAttachments: (attachments: Attachment[]) => void
}

/** A second Enter within this time is an accident. @see specification §5 Send message */
const slipMs = 300

/** The text being written, kept as a draft, and the ways to send it. */
export function useReply(props: ReplyProps) {
  const { chat, me, field, attachments, onAttachments, onFiles } = props
  const draft = useDraft(me.id, chat)
  const edit = useEdit(props)
  const { quoted } = draft
  const text = edit?.text ?? draft.text
  const send = useSendMessage(chat)
  const lastSentAt = useRef(-Infinity)
  const conversationId = conversationIn(chat)
  useSendTyping(conversationId, field, text)
  const { guard, question } = useCollision({ conversationId, userId: me.id, text: draft.text, field })

  /** The quick reply that the text came from, until it is sent or gone. */
  const used = useRef<string>(undefined)
  const write = (next: string) => {
    if (next === '') used.current = undefined
    ;(edit?.write ?? draft.write)(next)
  }
  const compose = (content: string, isFirst: boolean): Send => ({
    userId: me.id,
    userName: me.name,
    ...chat,
    clientMessageId: newClientMessageId(),
    content,
    quoted: isFirst ? quoted : null,
    composedAtMs: composedNow(serverNow()),
  })
  /** Replaces a part of the text, and moves the cursor behind it, or selects a part of what is inserted. */
  const replace = (from: number, to: number, piece: string, takesFocus = true, selected?: Range) => {
    const next = (text.slice(0, from) + piece + text.slice(to)).slice(0, maxTextLength)
    const [start, end] = selected ?? [piece.length, piece.length]
    flushSync(() => write(next))
    if (takesFocus) field.current?.focus()
    field.current?.setSelectionRange(from + start, from + end)
  }
  /** Inserts at the cursor, or replaces the whole text. */
  const insert = (piece: string, isWhole: boolean, takesFocus = true, selected?: Range) => {
    const { selectionStart = 0, selectionEnd = text.length } = (!isWhole && field.current) || {}
    replace(selectionStart, selectionEnd, piece, takesFocus, selected)
  }
  const gaps = useGaps()
  const insertReply = (reply: ResolvedReply, isWhole: boolean) => {
    gaps.add(reply.missing)
    insert(reply.text, isWhole, true, reply.gap)
    if (reply.text !== '' && !edit) used.current = reply.quickReply
  }
  const attachReply = (
    file: File,
    { text: caption, missing, quickReply }: ResolvedReply,
    seconds?: number,
  ) => {
    gaps.add(missing)
    const voice = seconds !== undefined && { isVoice: true, messageType: 'audio' as const, seconds }
    onFiles([file], caption, { ...voice, ...(quickReply !== undefined && { quickReply }) })
  }
  const clear = () => {
    used.current = undefined
    draft.clear()
  }
  /** Whether it can be sent later; says what is missing. */
  const isReady = () => {
    const missing = gaps.inLater(text)
    if (missing.length > 0) toastMissingValues(missing)
    return missing.length === 0
  }
  const submit = () => {
    const content = text.trim()
    field.current?.focus()
    const missing = gaps.in(content)
    if (missing.length > 0) {
      const gap = gapIn(text, missing)
      if (gap) field.current?.setSelectionRange(...gap)
      return toastMissingValues(missing)
    }
    if (edit) return edit.save(content)
    if (content === '' || performance.now() - lastSentAt.current < slipMs) return
    guard(() => {
      lastSentAt.current = performance.now()
      send({ ...compose(content, true), ...(used.current !== undefined && { quickReply: used.current }) })
      clear()
    })
  }
  /** Sends each file as a separate message, in the order of choosing; the first one has the quote. */
  const submitFiles = () => {
    const missing = gaps.in(attachments.map(({ caption }) => caption).join('\n'))
    if (missing.length > 0) return toastMissingValues(missing)
    guard(sendFiles)
  }
  const sendFiles = () => {
    for (const [index, { caption, key: _key, ...file }] of attachments.entries())
      send({ ...compose(caption.trim(), index === 0), file })
    onAttachments([])
    draft.unquote()
    field.current?.focus()
  }
  /** Quotes nothing: not every gateway would pass it on. */
  const submitVoice = ({ file, url, seconds }: Recorded) =>
    send({ ...compose('', false), file: { file, url, seconds, messageType: 'audio', isVoice: true } })
  const { unquote } = draft
  const writing = { text, quoted, unquote, write, insert, replace, insertReply, attachReply }
  return { ...writing, clear, isReady, submit, submitFiles, submitVoice, guard, question }
}
