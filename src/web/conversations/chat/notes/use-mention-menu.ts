import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type SyntheticEvent, useState } from 'react'
import type { Mention } from '#shared/messages/message-metadata.ts'
import { listMentionable } from '#shared/messages/mentions.ts'
import { call } from '#web/platform/api/api.ts'
import { clampedStep, useListbox } from '#web/ui/fields/use-listbox.ts'
import { findMentionable } from './find-mentionable.ts'
import { type MentionShortcut, mentionShortcutAt } from './mention-shortcut.ts'

const freshMs = 30_000

/** People and sectors by an '@' and the beginning of their names. */
export function useMentionMenu({
  conversationId,
  text,
  chosen,
  isActive,
  onChoose,
}: {
  conversationId: number
  text: string
  /** Whom the text mentions already. */
  chosen: readonly Mention[]
  /** Whether the focus is in the text. */
  isActive: boolean
  /** Puts the mention in the place of the shortcut, with a space behind it. */
  onChoose: (mention: Mention, shortcut: MentionShortcut) => void
}) {
  const [caret, setCaret] = useState(0)
  /** The text at which Escape was pressed: there the '@' is meant literally. */
  const [left, setLeft] = useState<string>()
  if (left !== undefined && left !== text) setLeft(undefined)
  const shortcut = isActive && left === undefined ? mentionShortcutAt(text, caret, chosen) : undefined
  const { data, isError } = useQuery({
    queryKey: ['mentionable', conversationId],
    queryFn: ({ signal }) => call(listMentionable, { params: { id: conversationId }, signal }),
    enabled: shortcut !== undefined,
    staleTime: freshMs,
    refetchInterval: false,
  })
  const found = shortcut && data ? findMentionable(data, shortcut.asked) : []
  const offered = found.filter(({ isOffered }) => isOffered)
  // An '@' that means nobody is only an '@'; one at which nothing could be loaded says so.
  const isOpen = shortcut !== undefined && (found.length > 0 || (!data && shortcut.asked === ''))
  const listbox = useListbox({
    count: offered.length,
    scope: shortcut?.asked ?? '',
    stepFor: (key, from, count) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[key]
      return step && clampedStep(from, step, count)
    },
    onChoose: (index) => {
      const option = offered[index]
      if (!option || !shortcut) return
      onChoose(option.mention, shortcut)
      setCaret(shortcut.from + option.mention.name.length + 2)
    },
  })
  const state: 'failed' | 'loading' | undefined = data ? undefined : isError ? 'failed' : 'loading'
  /** @returns whether the key was meant for the menu */
  const onKey = ({ key }: Pick<KeyboardEvent, 'key'>): boolean => {
    if (!isOpen) return false
    if (key === 'Escape') setLeft(text)
    // Nobody who is shown may be mentioned: it is no choice, and no end of the note either.
    else if (key === 'Enter' || key === 'Tab') return listbox.chooseMarked() || found.length > 0
    else return listbox.moveByKey(key)
    return true
  }
  return {
    onKey,
    menu: isOpen ? { options: found, listbox, state } : undefined,
    noteCaret: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) =>
      setCaret(currentTarget.selectionEnd),
    /** For the text. */
    owner: isOpen ? listbox.owner : undefined,
  }
}

/** Those of the chosen whom a text mentions, each once. */
export function mentionsIn(text: string, chosen: readonly Mention[]): Mention[] {
  return chosen.filter(
    ({ userId, sectorId, name }, n) =>
      text.includes(`@${name}`) &&
      chosen.findIndex((other) => other.userId === userId && other.sectorId === sectorId) === n,
  )
}
