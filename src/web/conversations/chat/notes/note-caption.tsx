import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Mention } from '#shared/messages/message-metadata.ts'
import type { CaptionProps } from '#web/conversations/attachments/attachments-dialog.tsx'
import { cn } from '#web/ui/cn.ts'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { MentionList } from './mention-list.tsx'
import { mentionsIn, useMentionMenu } from './use-mention-menu.ts'

/** As the server takes. */
export const maxCaptionLength = 4096

/** The text of a note with a file; '@' mentions colleagues, as in any note. */
export function NoteCaption({
  conversationId,
  attachment: { caption, mentions: chosen = [] },
  onChange,
  onSend,
}: CaptionProps & { conversationId: number }) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [isActive, setActive] = useState(false)
  const mentions = mentionsIn(caption, chosen)
  const write = (text: string, mention?: Mention) =>
    onChange(text, mentionsIn(text, mention ? [...mentions, mention] : mentions))
  const people = useMentionMenu({
    conversationId,
    text: caption,
    chosen: mentions,
    isActive,
    onChoose: (mention, { from, to }) => {
      const piece = `@${mention.name} `
      flushSync(() =>
        write((caption.slice(0, from) + piece + caption.slice(to)).slice(0, maxCaptionLength), mention),
      )
      field.current?.setSelectionRange(from + piece.length, from + piece.length)
    },
  })
  // Whichever file is shown.
  useEffect(() => {
    const { current: text } = field
    text?.focus()
    text?.setSelectionRange(text.value.length, text.value.length)
  }, [])
  const noteCaret = (event: SyntheticEvent<HTMLTextAreaElement>) => people.noteCaret(event)
  return (
    <div className="relative">
      {people.menu && <MentionList {...people.menu} />}
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        Texto da nota
      </label>
      <textarea
        {...people.owner}
        // Escape closes the list and not the dialog.
        data-takes-escape={people.menu && ''}
        ref={field}
        id={id}
        rows={2}
        dir="auto"
        maxLength={maxCaptionLength}
        value={caption}
        placeholder="Só a equipe vê"
        onChange={(event) => write(event.target.value)}
        onInput={noteCaret}
        onSelect={noteCaret}
        onFocus={() => setActive(true)}
        onBlur={() => setActive(false)}
        onKeyDown={(event) => {
          // Safari reports composing only by key code 229.
          if (event.nativeEvent.isComposing || event.keyCode === 229 || event.shiftKey) return
          if (people.onKey(event)) return event.preventDefault()
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (!event.repeat) onSend()
        }}
        className={cn(fieldLook('lines'), 'resize-none')}
      />
    </div>
  )
}
