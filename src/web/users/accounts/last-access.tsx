import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Account } from '#shared/users/accounts.ts'
import { relativeTime } from '#shared/text/time/relative-time.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { cn } from '#web/ui/cn.ts'
import { PresenceMark } from '#web/users/presence/presence-mark.tsx'
import { userQueries } from '#web/users/queries.ts'
import { accountQueries } from './queries.ts'

type Seen = Pick<Account, 'lastSeenAt' | 'createdAt'>

/** Whether somebody is there, or when they last were. */
export function LastAccess({ account }: { account: Account }) {
  const nowMs = useNow(60_000)
  const { data, isPending } = useQuery(userQueries.operators())
  const person = data?.find(({ id }) => id === account.id)
  return (
    // Where rows are cards it has a line, which stands before it is known: otherwise it would be said when
    // somebody was there, and in the next moment that they are.
    <span className={cn('whitespace-nowrap lg:flex-none max-lg:basis-full', isPending && 'invisible')}>
      {person && person.presence !== 'offline' ? (
        <PresenceMark of={person} />
      ) : (
        lastAccessText(account, nowMs)
      )}
    </span>
  )
}

const monthMs = 30 * 24 * 60 * 60_000

/** 'Último acesso há 2 dias'. */
export function lastAccessText({ lastSeenAt, createdAt }: Seen, nowMs: number): string {
  if (lastSeenAt !== null) return `Último acesso ${relativeTime(Date.parse(lastSeenAt), nowMs)}`
  // An older account may have had sessions that are no longer kept.
  return nowMs - Date.parse(createdAt) < monthMs ? 'Nunca entrou' : 'Sem acesso há mais de 30 dias'
}

/** Fetches the accounts again when somebody leaves, since until then it was unknown when that would be. */
export function useDepartures(): void {
  const client = useQueryClient()
  const { data } = useQuery(userQueries.operators())
  const before = useRef<ReadonlySet<number>>(new Set())
  useEffect(() => {
    if (!data) return
    const here = new Set(data.filter(({ isOnline }) => isOnline).map(({ id }) => id))
    if ([...before.current].some((id) => !here.has(id)))
      void client.invalidateQueries({ queryKey: accountQueries.list().queryKey })
    before.current = here
  }, [client, data])
}
