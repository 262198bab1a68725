import { Mic, Sparkles } from 'lucide-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import type { TemplateValues } from '#shared/text/template.ts'
import { SuggestionPanel, useAssistantIn } from '#web/assistant/assistant.tsx'
import { VoiceRecorder } from '#web/media/media.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { Typists } from '#web/conversations/presence/typing.tsx'
import { conversationIn } from '#web/conversations/sends/sends.ts'
import { ScheduleButton } from '#web/conversations/scheduled/schedule-button.tsx'
import { ComposerField } from './composer-field.tsx'
import { EditBar, QuoteBar } from './composer-bars.tsx'
import { AttachButton, EmojiButton, QuickReplyButtons, SaveButton, SendButton } from './composer-buttons.tsx'
import { useEmojiShortcut } from './use-emoji-shortcut.ts'
import { useQuickReplies } from './use-quick-replies.ts'
import { type ReplyProps, useReply } from './use-reply.ts'

const QuickReplyList = onDemand(async () => (await import('./quick-reply-list.tsx')).QuickReplyList, true)
const EmojiList = onDemand(async () => (await import('./emoji-list.tsx')).EmojiList, true)
const AttachmentsDialog = onDemand(
  async () => (await import('#web/conversations/attachments/attachments-dialog.tsx')).AttachmentsDialog,
)

interface ComposerProps extends ReplyProps {
  contactName: string
  /** The values for placeholders of quick replies. */
  values: TemplateValues
  /** Of the conversation; null: none. */
  sectorId: number | null
  /** Called for the up arrow in an empty field. */
  onEditLast?: () => void
  /** Asks before it runs a macro; absent where there is no conversation yet. */
  onMacro?: (id: number) => void
  /** Beside the quick replies: what else can be written. */
  modes?: ReactNode
  /** Below the field. */
  below?: ReactNode
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
    onMacro: editing ? undefined : props.onMacro,
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

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) {
  return altKey || ctrlKey || metaKey || shiftKey
}
