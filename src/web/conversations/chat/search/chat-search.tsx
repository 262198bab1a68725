import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { mostFound, searchMessages } from '#shared/messages/message-endpoints.ts'
import { fold } from '#shared/text/fold.ts'
import { call } from '#web/platform/api/api.ts'
import { useSettled } from '#web/platform/browser/use-settled.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { markIn, rangesOf } from './marks.ts'
import type { OpenSearch } from './use-chat-search.ts'

const debounceMs = 200

/** The search bar of a chat: shows the messages that contain the words, one after the other. */
export function ChatSearch({
  conversation,
  asked,
  onJump,
  onClose,
}: OpenSearch & { conversation: Conversation; onJump: (messageId: number) => void }) {
  const bar = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const words = useSettled(typed.trim(), debounceMs)
  const found = useFound(conversation, words)
  const { ids, at, current, isPending, isError, go } = found
  useEffect(() => {
    const input = bar.current?.querySelector('input')
    input?.focus()
    input?.select()
  }, [asked])
  useEffect(() => {
    if (current !== undefined) onJump(current)
  }, [current, onJump])
  useLayoutEffect(() => {
    const timeline = bar.current?.parentElement?.querySelector('[role="log"]')
    const asked = fold(found.words)
    if (!timeline || asked === '') return undefined
    return markIn(timeline, (row) => rangesOf(row, asked), new Set(ids), current)
  }, [found.words, ids, current])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event)
    if (event.key !== 'Escape' && step === undefined) return
    event.preventDefault()
    if (step === undefined) onClose()
    else go(step)
  }
  return (
    <div
      ref={bar}
      role="search"
      aria-label="Buscar na conversa"
      className="flex h-11 flex-none items-center gap-1 border-b border-line bg-surface px-2 md:px-3"
    >
      <SearchField
        onKeyDown={onKeyDown}
        value={typed}
        onChange={setTyped}
        maxLength={200}
        placeholder="Buscar na conversa..."
        className="min-w-0 flex-1 md:max-w-96"
      />
      <span
        role="status"
        className="min-w-16 flex-none px-1 text-center text-xs text-ink-2 tabular-nums md:mr-auto"
      >
        {words === '' || isError ? '' : isPending ? 'Buscando...' : place(at, ids.length, found.isCut)}
      </span>
      {isError && (
        <span className="flex flex-none items-center gap-1.5 text-xs text-red-text md:mr-auto">
          Não foi possível buscar.
          <button
            type="button"
            className="min-h-6 font-semibold underline underline-offset-2"
            onClick={found.retry}
          >
            Tentar novamente
          </button>
        </span>
      )}
      <IconButton
        onKeyDown={onKeyDown}
        label="Mais antiga"
        icon={ChevronUp}
        disabled={at >= ids.length - 1}
        onClick={() => go(1)}
      />
      <IconButton
        onKeyDown={onKeyDown}
        label="Mais nova"
        icon={ChevronDown}
        disabled={at === 0}
        onClick={() => go(-1)}
      />
      <IconButton onKeyDown={onKeyDown} label="Fechar busca" icon={X} onClick={onClose} />
    </div>
  )
}

function place(at: number, count: number, isCut: boolean): string {
  if (count === 0) return 'Nada encontrado'
  return `${at + 1} de ${isCut ? `mais de ${mostFound.toLocaleString('pt-BR')}` : count}`
}

/** 1 leads to an older message. */
function stepOf({ key, shiftKey, target }: KeyboardEvent): 1 | -1 | undefined {
  if (key === 'ArrowUp') return 1
  if (key === 'ArrowDown') return -1
  // On a button, Enter presses it.
  if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return undefined
  return shiftKey ? -1 : 1
}

/** Where a message is in the found ones; once it is found no more, its next older one. */
function placeIn(ids: readonly number[], shown = 0): number {
  const at = ids.indexOf(shown)
  if (at !== -1) return at
  const older = ids.findIndex((id) => id < shown)
  return Math.max(0, older === -1 ? ids.length - 1 : older)
}

const nothing: number[] = []

/** Another `messageCount` searches again: a new message may contain the words too. */
const foundQuery = (id: number, words: string, messageCount: number) =>
  queryOptions({
    queryKey: [...conversationQueries.searches(id), words, messageCount],
    queryFn: async ({ signal }) => ({
      words,
      ...(await call(searchMessages, { params: { id }, query: { words }, signal })),
    }),
  })

/** The messages that contain the words, newest first, and which of them is shown. */
function useFound({ id, messageCount }: Conversation, words: string) {
  const { data, isPlaceholderData, isError, refetch } = useQuery({
    ...foundQuery(id, words, messageCount),
    placeholderData: keepPreviousData,
    enabled: words !== '',
  })
  const isHere = words !== '' && data !== undefined
  const ids = isHere ? data.ids : nothing
  const [shown, setShown] = useState<{ words: string; id: number | undefined }>()
  if (isHere && !isPlaceholderData && shown?.words !== data.words)
    setShown({ words: data.words, id: data.ids[0] })
  const isOfThese = isHere && shown?.words === data.words
  const at = isOfThese ? placeIn(ids, shown.id) : 0
  return {
    ids,
    at,
    words: isHere ? data.words : '',
    current: isOfThese ? ids[at] : undefined,
    isCut: isHere && data.isCut,
    isPending: data?.words !== words,
    isError: isError && data?.words !== words,
    retry: () => void refetch(),
    go: (step: 1 | -1) => {
      const next = ids[at + step]
      if (isOfThese && next !== undefined) setShown({ words: data.words, id: next })
    },
  }
}
