import type { useListbox } from '#web/ui/fields/use-listbox.ts'
import { SuggestionList, suggestionLook } from './suggestion-list.tsx'
import type { FoundEmoji } from './use-emoji-shortcut.ts'

/** The emojis that match what follows a colon. */
export function EmojiList({
  emojis,
  listbox,
}: {
  emojis: readonly FoundEmoji[]
  listbox: ReturnType<typeof useListbox>
  /** Its code could not be loaded. */
  onClose: () => void
}) {
  return (
    <SuggestionList title="Emojis" listbox={listbox}>
      {emojis.map(({ emoji, name }, index) => (
        <div key={emoji} {...listbox.option(index)} className={suggestionLook(index === listbox.marked)}>
          <span aria-hidden className="w-6 flex-none text-center text-lg">
            {emoji}
          </span>
          <span className="min-w-0 flex-1 truncate">{name}</span>
        </div>
      ))}
    </SuggestionList>
  )
}
