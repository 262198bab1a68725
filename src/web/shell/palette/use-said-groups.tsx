import { useQuery } from '@tanstack/react-query'
import { Archive, Lock, Paperclip } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { type ArchivedHit, type FoundRow, searchConversations } from '#shared/conversations/archive.ts'
import { unknownContact } from '#shared/text/text.ts'
import { archivedAddress, Marked, writerOf } from '#web/conversations/conversations.tsx'
import { call } from '#web/platform/api/api.ts'
import { useSettled } from '#web/platform/browser/use-settled.ts'
import { shortDate } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { useCan } from '#web/users/users.tsx'
import { mostOfAKind } from './palette-results.ts'

/** Of the conversations of the archive that are found by a name, a protocol or a note alone. */
const mostArchived = 5
/** A single letter is in everything. */
const leastLength = 2
/** After the last key: all messages are searched. */
const debounceMs = 250

interface SaidItem {
  value: string
  shown: ReactNode
  run: () => void
}

/** What was said in all conversations, and those of the archive that are found by something else. */
export function useSaidGroups(query: string): {
  messages: SaidItem[]
  archived: SaidItem[]
  isSearching: boolean
  isFailed: boolean
} {
  const [, navigate] = useLocation()
  const mayView = useCan('viewConversations')
  const words = query.trim()
  const settled = useSettled(words, debounceMs)
  const isLong = words.length >= leastLength
  const isCurrent = mayView && isLong && settled === words
  const { data, isFetching, isError } = useQuery({
    queryKey: ['archive', 'palette', settled],
    queryFn: ({ signal }) =>
      call(searchConversations, { query: { limit: mostOfAKind, search: settled }, signal }),
    enabled: isCurrent,
  })
  const found = isCurrent ? data : undefined
  const rows = found?.conversations ?? []
  const addressOf = ({ id, status }: FoundRow, messageId?: number) =>
    status === 'completed'
      ? archivedAddress(id, { messageId, search: settled })
      : `/chat?conversation=${id}&mensagem=${messageId}`
  const messages = rows
    .flatMap((row) => row.hits.map((hit) => ({ row, hit })))
    .toSorted((a, b) => b.hit.sentAt.localeCompare(a.hit.sentAt))
    .slice(0, mostOfAKind)
    .map(({ row, hit }): SaidItem => ({
      value: `message ${hit.messageId}`,
      run: () => navigate(addressOf(row, hit.messageId)),
      shown: <ShownMessage row={row} hit={hit} />,
    }))
  const archived = rows
    .filter(({ status, hits }) => status === 'completed' && hits.length === 0)
    .slice(0, mostArchived)
    .map((row): SaidItem => ({
      value: `archived ${row.id}`,
      run: () => navigate(addressOf(row)),
      shown: <ShownConversation row={row} />,
    }))
  const total = found?.completedCount ?? 0
  const shownTotal = `${found?.hasMore ? 'mais de ' : ''}${total.toLocaleString('pt-BR')}`
  if (total > 0)
    archived.push({
      value: 'archive',
      run: () => navigate(`/conversas-arquivadas?search=${encodeURIComponent(settled)}`),
      shown: (
        <>
          <Archive size={16} aria-hidden className="mx-1 flex-none text-ink-2" />
          <span className="min-w-0 truncate">{`Ver todas no arquivamento (${shownTotal})`}</span>
        </>
      ),
    })
  return {
    messages,
    archived,
    isSearching: mayView && isLong && !isError && (settled !== words || isFetching),
    isFailed: isCurrent && isError,
  }
}

const nameOf = ({ contact }: FoundRow) => contact.name || unknownContact

function ShownMessage({ row, hit }: { row: FoundRow; hit: ArchivedHit }) {
  const name = nameOf(row)
  return (
    <>
      <Avatar name={name} src={row.contact.avatarUrl} size={24} />
      <span className="grid min-w-0 flex-1 grid-cols-1 py-1.5">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium" dir="auto">
            {name}
          </span>
          <span className="ml-auto flex flex-none items-center gap-1 text-xs text-ink-2 tabular-nums">
            {row.status === 'completed' && <Archive aria-label="Finalizada" size={12} />}
            {shortDate(hit.sentAt)}
          </span>
        </span>
        <span className="line-clamp-2 text-xs wrap-anywhere text-ink-2" dir="auto">
          {!hit.isContact && `${writerOf(hit, name)}: `}
          {hit.isNote && (
            <Lock aria-label="Nota interna" size={12} className="mr-1 inline text-yellow-text" />
          )}
          {hit.isFile && <Paperclip aria-label="Arquivo" size={12} className="mr-1 inline" />}
          <Marked text={hit.text} marks={hit.marks} />
        </span>
      </span>
    </>
  )
}

function ShownConversation({ row }: { row: FoundRow }) {
  const { contact, completedAt } = row
  return (
    <>
      <Avatar name={nameOf(row)} src={contact.avatarUrl} size={24} />
      <span className="flex min-w-0 flex-1 items-baseline gap-2">
        <span className="truncate font-medium" dir="auto">
          {nameOf(row)}
        </span>
        <span className="truncate text-xs text-ink-2" dir="auto">
          {contact.company?.name}
        </span>
      </span>
      {completedAt && (
        <span className="ml-auto flex-none text-xs text-ink-2 tabular-nums">{shortDate(completedAt)}</span>
      )}
    </>
  )
}
