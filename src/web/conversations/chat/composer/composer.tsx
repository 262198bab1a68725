import { Mic, Sparkles } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { maxTextLength } from '#shared/messages/messages.ts'
import type { TemplateValues } from '#shared/text/template.ts'
import type { Me } from '#shared/users/users.ts'
import { SuggestionPanel, useAssistantIn } from '#web/assistant/assistant.tsx'
import { type Recorded, VoiceRecorder } from '#web/media/media.tsx'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import type { Attachment } from '#web/conversations/attachments/attachments-dialog.tsx'
import { Typists } from '#web/conversations/presence/typing.tsx'
import { useCollision } from '#web/conversations/presence/use-collision.tsx'
import { useSendTyping } from '#web/conversations/presence/use-send-typing.ts'
import { useDraft } from '#web/conversations/drafts/use-draft.ts'
import { useSendMessage } from '#web/conversations/sends/send-mutations.ts'
import {
  type Chat,
  composedNow,
  conversationIn,
  type Send,
  type SentFile,
} from '#web/conversations/sends/sends.ts'
import { ScheduleButton } from '#web/conversations/scheduled/schedule-button.tsx'
import { ComposerField } from './composer-field.tsx'
import { EditBar, QuoteBar } from './composer-bars.tsx'
import { AttachButton, EmojiButton, QuickReplyButtons, SaveButton, SendButton } from './composer-buttons.tsx'
import { newClientMessageId } from '#web/conversations/sends/new-client-message-id.ts'
import { gapIn, toastMissingValues, useGaps } from './gaps.ts'
import type { Range, ResolvedReply } from './quick-replies.ts'
import { type Editing, useEdit } from './use-edit.ts'
import { useEmojiShortcut } from './use-emoji-shortcut.ts'
import { useQuickReplies } from './use-quick-replies.ts'

const QuickReplyList = onDemand(async () => (await import('./quick-reply-list.tsx')).QuickReplyList, true)
const EmojiList = onDemand(async () => (await import('./emoji-list.tsx')).EmojiList, true)
const AttachmentsDialog = onDemand(
  async () => (await import('#web/conversations/attachments/attachments-dialog.tsx')).AttachmentsDialog,
)

/** A second Enter within this time is an accident. @see specification §5 Send message */
const slipMs = 300

interface ComposerProps {
  chat: Chat
  contactName: string
  /** The values for placeholders of quick replies. */
  values: TemplateValues
  /** Of the conversation; null: none. */
  sectorId: number | null
  me: Me
  /** The message being edited and its initial text; the draft is kept meanwhile. */
  editing?: Editing | undefined
  onEditDone?: () => void
  /** Called for the up arrow in an empty field. */
  onEditLast?: () => void
  field: RefObject<HTMLTextAreaElement | null>
  /** Beside the quick replies: what else can be written. */
  modes?: ReactNode
  /** Below the field. */
  below?: ReactNode
  attachments: readonly Attachment[]
  onFiles: (files: readonly File[], caption?: string, facts?: Partial<SentFile>) => void
  onAttachments: (attachments: Attachment[]) => void
}

/** Writes a reply. Sent messages leave at once; unsent text is kept as the draft of the conversation. */
export function Composer(props: ComposerProps) {
  const conversationId = conversationIn(props.chat)
  const { contactName, editing, onEditDone, onEditLast, field, modes } = props
  const { attachments, onFiles, onAttachments } = props
  const reply = useReply(props)
  const { text, quoted, unquote, write, insert, replace, submit, guard, question } = reply
  const { submitFiles, submitVoice, insertReply, attachReply, clear, isReady } = reply
  const [isActive, setActive] = useState(false)
  const quick = useQuickReplies({
    text,
    isActive,
    values: props.values,
    sectorIds: props.sectorId === null ? props.me.sectors.map(({ id }) => id) : [props.sectorId],
    insert: insertReply,
    // An edit cannot add a file to a sent message.
    attach: editing ? undefined : attachReply,
  })
  const emojis = useEmojiShortcut({
    text,
    isActive,
    onChoose: (emoji, { from, to }) => replace(from, to, emoji),
  })
  /** 'asked' until the microphone is there. */
  const [voice, setVoice] = useState<'asked' | 'recording'>()
  const isRecording = voice === 'recording'
  const { canSuggest } = useAssistantIn(conversationId)
  const [isSuggesting, setSuggesting] = useState(false)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter picks a word; Safari reports that only by key code 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (!event.shiftKey && (quick.onKey(event) || emojis.onKey(event))) {
      event.preventDefault()
      // Escape closes the list and does nothing else.
      return event.stopPropagation()
    }
    if (event.key === 'Escape' && editing) {
      event.preventDefault()
      return onEditDone?.()
    }
    if (event.key === 'Escape' && quoted) unquote()
    if (event.key === 'ArrowUp' && text === '' && !editing && onEditLast && !hasModifier(event)) {
      event.preventDefault()
      return onEditLast()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!event.repeat) submit()
  }
  return (
    <footer className="relative flex-none border-t border-line bg-surface px-2 pt-2 pb-2.5 md:px-3 md:pb-3">
      {quick.list && <QuickReplyList {...quick.list} />}
      {emojis.list && <EmojiList {...emojis.list} />}
      <div className="flex items-start gap-2">
        {modes && <div className="mb-2 flex">{modes}</div>}
        <QuickReplyButtons replies={quick.buttons} onUse={(reply) => quick.choose(reply, false)} />
        {conversationId !== undefined && (
          <Typists conversationId={conversationId} isFloating={quick.buttons.length === 0 && !modes} />
        )}
      </div>
      {editing ? (
        <EditBar message={editing.message} onCancel={() => onEditDone?.()} />
      ) : (
        quoted && !isRecording && <QuoteBar quoted={quoted} contactName={contactName} onCancel={unquote} />
      )}
      {isSuggesting && canSuggest && conversationId !== undefined && !editing && (
        <SuggestionPanel
          conversationId={conversationId}
          onUse={(suggested) => {
            setSuggesting(false)
            insert(suggested, text.trim() === '')
          }}
          onClose={() => {
            setSuggesting(false)
            field.current?.focus()
          }}
        />
      )}
      {voice && (
        <VoiceRecorder
          field={field}
          onBegin={() => setVoice('recording')}
          onClose={() => setVoice(undefined)}
          onSend={(recorded) =>
            guard(() => {
              submitVoice(recorded)
              setVoice(undefined)
            })
          }
        />
      )}
      <form
        hidden={isRecording}
        className={[
          'flex items-end gap-0.5 rounded-card border border-field bg-surface',
          'p-[3px] focus-within:border-transparent focus-within:outline-2',
          'focus-within:-outline-offset-1 focus-within:outline-focus',
        ].join(' ')}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <EmojiButton field={field} onChoose={(emoji, isMore) => insert(emoji, false, !isMore)} />
        {!editing && <AttachButton onFiles={onFiles} />}
        <ComposerField
          {...quick.field}
          {...emojis.field}
          field={field}
          text={text}
          onWrite={write}
          onFiles={onFiles}
          onKeyDown={onKeyDown}
          onFocus={() => setActive(true)}
          onBlur={() => setActive(false)}
        />
        {canSuggest && !editing && (
          <IconButton label="Sugerir resposta" icon={Sparkles} onClick={() => setSuggesting(true)} />
        )}
        {text.trim() === '' && !editing && !quoted && (
          <IconButton label="Gravar voz" icon={Mic} onClick={() => setVoice('asked')} />
        )}
        {text.trim() !== '' && !editing && !quoted && conversationId !== undefined && (
          <ScheduleButton {...{ conversationId, text, isReady }} onScheduled={clear} />
        )}
        {editing ? <SaveButton /> : <SendButton isOff={text.trim() === ''} />}
      </form>
      {props.below}
      {attachments.length > 0 && (
        <AttachmentsDialog
          attachments={attachments}
          onAdd={onFiles}
          onChange={onAttachments}
          onSend={submitFiles}
          onClose={() => {
            for (const { url } of attachments) URL.revokeObjectURL(url)
            onAttachments([])
          }}
        />
      )}
      {question}
    </footer>
  )
}

/** The text being written, kept as a draft, and the ways to send it. */
function useReply(props: ComposerProps) {
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
    if (reply.text !== '') used.current = reply.quickReply
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
      used.current = undefined
      draft.clear()
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
  const { unquote, clear } = draft
  const writing = { text, quoted, unquote, write, insert, replace, insertReply, attachReply }
  return { ...writing, clear, isReady, submit, submitFiles, submitVoice, guard, question }
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) {
  return altKey || ctrlKey || metaKey || shiftKey
}
