import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import type { TemplateValues } from '#shared/template.ts'
import { fetchQuickResponseFile, settingsQueries } from '#web/settings/settings.tsx'
import { toast } from '#web/ui/toast.ts'
import { askedFor, matchingReplies, type QuickReply, quickRepliesOf, resolveReply } from './quick-replies.ts'
import { optionId } from './quick-reply-list.tsx'

interface Writing {
  text: string
  values: TemplateValues
  /** Puts a reply where the cursor stands, or in the place of the slash that asked for it. */
  insert: (reply: string, isWhole: boolean) => void
  /** Absent where no file can go along. */
  attach: ((file: File, caption: string) => void) | undefined
}

/** The texts that are written often: by their buttons, and by a slash at the start of the text. */
export function useQuickReplies({ text, values, insert, attach }: Writing) {
  const { data } = useQuery(settingsQueries.system())
  const replies = useMemo(() => quickRepliesOf(data ?? {}), [data])
  const asked = askedFor(text)
  const [marked, setMarked] = useState({ asked: '', index: 0 })
  /** The text at which somebody pressed Esc: he means the slash. */
  const [left, setLeft] = useState<string>()
  const id = useId()
  const isOpen = asked !== undefined && left !== text && replies.length > 0
  const found = useMemo(() => (isOpen ? matchingReplies(replies, asked) : []), [isOpen, replies, asked])
  const index = marked.asked === asked ? Math.min(marked.index, Math.max(0, found.length - 1)) : 0

  const choose = (reply: QuickReply, isWhole: boolean) => {
    const resolved = resolveReply(reply.text, values)
    if ('missing' in resolved) return sayMissing(resolved.missing)
    const { file } = reply
    if (!file || !attach) return insert(resolved.text, isWhole)
    if (isWhole) insert('', true)
    fetchQuickResponseFile(file).then(
      (bytes) => attach(bytes, resolved.text),
      ({ message }: Error) =>
        toast({ tone: 'error', title: 'Não foi possível abrir o arquivo', description: message }),
    )
  }

  /** @returns whether the key was meant for the list */
  const onKey = ({ key }: Pick<KeyboardEvent, 'key'>): boolean => {
    if (!isOpen) return false
    if (key === 'Escape') setLeft(text)
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      const step = key === 'ArrowDown' ? 1 : found.length - 1
      if (found.length > 0) setMarked({ asked, index: (index + step) % found.length })
    } else if (key === 'Enter' || key === 'Tab') {
      const chosen = found[index]
      if (!chosen) return key === 'Enter'
      choose(chosen, true)
    } else return false
    return true
  }

  return {
    /** Those with a button of their own. */
    buttons: replies.filter(({ label }) => label !== undefined),
    choose,
    onKey,
    list: isOpen ? { id, replies: found, marked: index } : undefined,
    field: {
      'aria-haspopup': 'listbox' as const,
      'aria-autocomplete': 'list' as const,
      ...(isOpen && { 'aria-controls': id }),
      ...(isOpen && found.length > 0 && { 'aria-activedescendant': optionId(id, index) }),
    },
  }
}

/** @param missing placeholders with their braces */
export function sayMissing(missing: readonly string[]): void {
  toast({
    tone: 'error',
    title: 'O texto tem um campo sem valor',
    description: `Não há o que pôr em ${missing.join(', ')} nesta conversa. Troque por palavras antes de enviar.`,
  })
}
