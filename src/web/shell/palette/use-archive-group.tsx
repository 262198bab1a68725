import { useQuery } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { type ArchivedRow, listArchived } from '#shared/conversations/archive.ts'
import { unknownContact } from '#shared/text/text.ts'
import { archivedAddress, Marked } from '#web/conversations/conversations.tsx'
import { call } from '#web/platform/api/api.ts'
import { useSettled } from '#web/platform/browser/use-settled.ts'
import { shortDate } from '#web/platform/live/server-clock.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { useCan } from '#web/users/users.tsx'

const shownAtMost = 5
/** A single letter is in everything. */
const leastLength = 2
/** After the last key: all messages are searched. */
const debounceMs = 250

interface ArchiveItem {
  value: string
  shown: ReactNode
  run: () => void
}

/** Completed conversations, found as in the archive: also by what was said in them. */
export function useArchiveGroup(query: string): {
  items: ArchiveItem[]
  isSearching: boolean
  isFailed: boolean
} {
  const [, navigate] = useLocation()
  const mayView = useCan('viewConversations')
  const words = query.trim()
  const settled = useSettled(words, debounceMs)
  const isLong = words.length >= leastLength
  const { data, isFetching, isError } = useQuery({
    queryKey: ['archive', 'palette', settled],
    queryFn: ({ signal }) => call(listArchived, { query: { limit: shownAtMost, search: settled }, signal }),
    enabled: mayView && isLong && settled === words,
  })
  const isCurrent = mayView && isLong && settled === words
  // Enter must not lead to somebody with a similar name.
  const found = isCurrent && data?.corrected.length === 0 ? data : undefined
  const items = (found?.conversations ?? []).map((row): ArchiveItem => {
    const [hit] = row.hits
    return {
      value: `archived ${row.id}`,
      run: () => navigate(archivedAddress(row.id, { messageId: hit?.messageId, search: settled })),
      shown: <Shown row={row} />,
    }
  })
  const total = found?.pagination.totalItems ?? 0
  const shownTotal = `${found?.hasMore ? 'mais de ' : ''}${total.toLocaleString('pt-BR')}`
  if (total > items.length)
    items.push({
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
    items,
    isSearching: mayView && isLong && !isError && (settled !== words || isFetching),
    isFailed: isCurrent && isError,
  }
}

function Shown({ row: { contact, completedAt, hits } }: { row: ArchivedRow }) {
  const name = contact.name || unknownContact
  const [hit] = hits
  return (
    <>
      <Avatar name={name} src={contact.avatarUrl} size={24} />
      <span className="flex min-w-0 flex-1 items-baseline gap-2">
        <span className="max-w-[60%] flex-none truncate font-medium" dir="auto">
          {name}
        </span>
        <span className="truncate text-xs text-ink-2" dir="auto">
          {hit ? <Marked text={hit.text} marks={hit.marks} /> : contact.company?.name}
        </span>
      </span>
      {completedAt && (
        <span className="ml-auto flex-none text-xs text-ink-2 tabular-nums">{shortDate(completedAt)}</span>
      )}
    </>
  )
}
