import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { TemplateValues } from '#shared/text/template.ts'
import { findMacros, useMacros } from '#web/macros/macros.tsx'
import { fetchReplyFile, replyQueries } from '#web/quick-replies/quick-replies.tsx'
import { fetchQuickResponseFile, settingsQueries } from '#web/settings/settings.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useListbox } from '#web/ui/fields/use-listbox.ts'
import { toastGaps } from './gaps.ts'
import {
  askedFor,
  generalReplies,
  matchingReplies,
  offeredReplies,
  type QuickReply,
  type ResolvedReply,
  resolveReply,
  suggestionsOf,
} from './quick-replies.ts'

interface Writing {
  text: string
  /** Whether the focus is in the text: a dialog, for example, takes it. */
  isActive: boolean
  values: TemplateValues
  /** Of the conversation, or of the person. @see offeredReplies */
  sectorIds: readonly number[]
  /** Inserts a reply at the cursor, or in place of the shortcut. */
  insert: (reply: ResolvedReply, isWhole: boolean) => void
  /** undefined where no file can be attached. */
  attach: ((file: File, caption: ResolvedReply, voiceSeconds?: number) => void) | undefined
  /** undefined where there is no conversation to run a macro in. */
  onMacro: ((id: number) => void) | undefined
}

/** Quick replies by button, and by a slash at the beginning of the text. */
export function useQuickReplies({ text, isActive, values, sectorIds, insert, attach, onMacro }: Writing) {
  const settings = useQuery(settingsQueries.system())
  const known = useQuery(replyQueries.known())
  const { macros, isLoading: areMacrosLoading } = useMacros()
  const isLoading =
    areMacrosLoading ||
    [settings, known].some(({ isPending, failureCount }) => isPending && failureCount === 0)
  const general = useMemo(
    () => generalReplies(settings.data ?? {}, known.data?.general),
    [settings.data, known.data],
  )
  const asked = askedFor(text)
  const replies =
    asked === undefined ? general : offeredReplies(general, known.data?.replies ?? [], sectorIds)
  /** The text at which Escape was pressed: there the slash is meant literally. */
  const [left, setLeft] = useState<string>()
  if (left !== undefined && left !== text) setLeft(undefined)
  // Until the replies are loaded a shortcut is not sent as a message.
  const isOpen =
    isActive && asked !== undefined && left === undefined && (isLoading || replies.length + macros.length > 0)
  const found = isOpen
    ? suggestionsOf(matchingReplies(replies, asked), onMacro ? findMacros(macros, asked) : [], asked)
    : []

  const choose = (reply: QuickReply, isWhole: boolean) => {
    const resolved = { ...resolveReply(reply.text, values), quickReply: reply.key }
    const { file } = reply
    if (resolved.missing.length > 0) toastGaps(resolved.missing)
    if (!file || !attach) return insert(resolved, isWhole)
    if (isWhole) insert({ text: '', missing: [] }, true)
    const { id } = reply
    const fetched = id === undefined ? fetchQuickResponseFile(file) : fetchReplyFile(id, file)
    fetched.then(
      (bytes) => attach(bytes, resolved, file.voiceSeconds),
      ({ message }: Error) =>
        toast({ tone: 'error', title: 'Não foi possível abrir o arquivo', description: message }),
    )
  }

  const listbox = useListbox({
    count: found.length,
    scope: asked ?? '',
    stepFor,
    onChoose: (index) => {
      const { reply, macro } = found[index] ?? {}
      if (reply) return choose(reply, true)
      if (!macro || !onMacro) return
      insert({ text: '', missing: [] }, true)
      onMacro(macro.id)
    },
  })

  /** The text at which Enter was pressed before the replies were loaded. */
  const [entered, setEntered] = useState<string>()
  const chooseEntered = useEffectEvent(() => {
    if (entered !== undefined && entered === text) listbox.chooseMarked()
  })
  useEffect(() => {
    if (!isLoading) chooseEntered()
  }, [isLoading])

  /** @returns whether the key was meant for the list */
  const onKey = ({ key }: Pick<KeyboardEvent, 'key'>): boolean => {
    if (!isOpen) return false
    switch (key) {
      case 'Escape':
        setLeft(text)
        return true
      case 'ArrowDown':
      case 'ArrowUp':
        listbox.moveByKey(key)
        return true
      case 'Enter':
        if (isLoading) setEntered(text)
        else listbox.chooseMarked()
        return true
      case 'Tab':
        return listbox.chooseMarked()
      default:
        return false
    }
  }

  return {
    /** Those that have a button. */
    buttons: general.filter(({ label }) => label !== undefined),
    choose,
    onKey,
    list: isOpen
      ? { suggestions: found, values, isLoading, listbox, onClose: () => setLeft(text) }
      : undefined,
    field: {
      'aria-haspopup': 'listbox' as const,
      'aria-autocomplete': 'list' as const,
      ...(isOpen && listbox.owner),
    },
  }
}

/** Wraps around at both ends. */
function stepFor(key: string, from: number, count: number): number {
  return (from + (key === 'ArrowDown' ? 1 : count - 1)) % count
}
