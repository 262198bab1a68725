import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type SyntheticEvent, useState } from 'react'
import { quickReactions } from '#shared/messages/messages.ts'
import { clampedStep, useListbox } from '#web/ui/fields/use-listbox.ts'
import { chosenTone, noteEmoji, recentEmojis } from '#web/conversations/emoji/recent-emojis.ts'
import { type EmojiShortcut, emojiShortcutAt } from '#web/conversations/emoji/emoji-shortcut.ts'

const mostFound = 24

export interface FoundEmoji {
  emoji: string
  name: string
}

/** Emojis by a colon and the beginning of their Portuguese names: ':cora'. */
export function useEmojiShortcut({
  text,
  isActive,
  onChoose,
}: {
  text: string
  /** Whether the focus is in the text. */
  isActive: boolean
  /** Puts the emoji in the place of the shortcut. */
  onChoose: (emoji: string, shortcut: EmojiShortcut) => void
}) {
  const [caret, setCaret] = useState(0)
  /** The text at which Escape was pressed: there the colon is meant literally. */
  const [left, setLeft] = useState<string>()
  if (left !== undefined && left !== text) setLeft(undefined)
  const shortcut = isActive && left === undefined ? emojiShortcutAt(text, caret) : undefined
  const found = useFound(shortcut?.asked)
  const isOpen = shortcut !== undefined && found.length > 0
  const listbox = useListbox({
    count: found.length,
    scope: shortcut?.asked ?? '',
    stepFor: (key, from, count) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[key]
      return step && clampedStep(from, step, count)
    },
    onChoose: (index) => {
      const chosen = found[index]
      if (!chosen || !shortcut) return
      noteEmoji(chosen.emoji)
      onChoose(chosen.emoji, shortcut)
    },
  })
  /** @returns whether the key was meant for the list */
  const onKey = ({ key }: Pick<KeyboardEvent, 'key'>): boolean => {
    if (!isOpen) return false
    if (key === 'Escape') setLeft(text)
    else if (key === 'Enter' || key === 'Tab') listbox.chooseMarked()
    else return listbox.moveByKey(key)
    return true
  }
  const noteCaret = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
    if (currentTarget.value.includes(':')) setCaret(currentTarget.selectionEnd)
  }
  return {
    onKey,
    list: isOpen ? { emojis: found, listbox, onClose: () => setLeft(text) } : undefined,
    /** For the text. */
    field: { onInput: noteCaret, onSelect: noteCaret, ...(isOpen && listbox.owner) },
  }
}

/** None while they are loaded, nor when they cannot be. */
function useFound(asked: string | undefined): readonly FoundEmoji[] {
  const client = useQueryClient()
  const tone = chosenTone.use()
  const { data } = useQuery({
    queryKey: ['emojis', 'found', asked, tone],
    queryFn: async () => {
      const { fetchEmojis, findEmojis, toned } = await import('#web/conversations/emoji/emojis.ts')
      const all = await client.fetchQuery({ queryKey: ['emojis'], queryFn: fetchEmojis, staleTime: Infinity })
      const found = findEmojis(all, asked ?? '').map((each) => ({
        emoji: toned(each, tone),
        name: each.name,
      }))
      const likely: string[] = [...recentEmojis(), ...quickReactions]
      const rank = ({ emoji }: FoundEmoji) => {
        const at = likely.indexOf(emoji)
        return at === -1 ? likely.length : at
      }
      return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostFound)
    },
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    refetchInterval: false,
  })
  return (asked !== undefined && data) || []
}
