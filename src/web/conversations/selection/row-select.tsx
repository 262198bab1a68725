import type { MouseEvent } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { unknownContact } from '#shared/text/text.ts'
import { cn } from '#web/ui/cn.ts'
import type { Selection } from './use-selection.ts'

/**
 * The box that selects a row, over its avatar: shown on hover, with the focus, and while anything is
 * selected. The row must be a positioned `group/row`.
 */
export function RowSelect({
  selection,
  conversation,
  tabIndex = 0,
  className,
}: {
  selection: Selection
  conversation: Conversation
  tabIndex?: number
  /** Where the avatar is. */
  className: string
}) {
  return (
    <label
      className={cn(
        // A pixel more than the avatar, whose edge would shine through.
        'absolute -m-px box-content grid cursor-pointer place-items-center rounded-full p-px',
        selection.has(conversation.id) ? 'bg-selected' : 'bg-surface',
        // A finger has no hover, and would select by chance.
        !selection.isOn &&
          'opacity-0 focus-within:opacity-100 group-hover/row:opacity-100 pointer-coarse:hidden',
        className,
      )}
    >
      <input
        type="checkbox"
        aria-label={`Selecionar ${conversation.contact.name || unknownContact}`}
        className="size-[18px] cursor-pointer accent-accent"
        tabIndex={tabIndex}
        checked={selection.has(conversation.id)}
        onChange={({ nativeEvent }) =>
          selection.toggle(conversation, nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  )
}

/** For the link of a row: while anything is selected, a click selects instead of opening the chat. */
export function selectByClick(selection: Selection, conversation: Conversation) {
  return (event: MouseEvent) => {
    if (!selection.isOn || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    selection.toggle(conversation, event.shiftKey)
  }
}
