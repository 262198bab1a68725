import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { assignOperator } from '#shared/conversations/conversation-endpoints.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { ago } from '#shared/text/time/relative-time.ts'
import { call } from '#web/platform/api/api.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { minutesSince } from '#web/conversations/rows/minutes-since.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import type { Member } from './team.ts'

/** Who waits for somebody in a pause, with a way back to the queue; nothing if nobody does. */
export function PausedWaits({ team, mayReturn }: { team: readonly Member[]; mayReturn: boolean }) {
  const rows = team
    .filter(({ operator }) => operator.presence === 'paused')
    .flatMap(({ conversations }) => conversations.filter(({ waitingSince }) => waitingSince !== null))
  const since = rows.flatMap(({ waitingSince }) => waitingSince ?? []).toSorted()[0]
  const nowMs = useNow(30_000)
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (some: readonly Conversation[]) =>
      Promise.all(
        some.map(({ id, assignedUserId: holderId }) =>
          call(assignOperator, { params: { id }, body: { operatorId: null, holderId } }),
        ),
      ),
    onError: ({ message }) =>
      toast({ tone: 'error', title: 'Erro ao devolver à fila', ...(message && { description: message }) }),
    onSettled: () => client.invalidateQueries({ queryKey: conversationQueries.open().queryKey }),
  })
  if (since === undefined) return null
  const who = rows.length === 1 ? '1 cliente' : `${rows.length} clientes`
  const minutes = minutesSince(since, nowMs)
  const wait = minutes < 1 ? 'há menos de 1 minuto' : ago(minutes)
  return (
    <p
      className={[
        'flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-b border-amber-line bg-amber-soft',
        'px-4 py-1.5 text-sm text-amber-text',
      ].join(' ')}
    >
      <Hourglass size={16} aria-hidden className="flex-none" />
      <span className="min-w-0 flex-1">
        {who} de quem está em pausa {rows.length === 1 ? 'espera' : 'esperam'} {wait}.
      </span>
      {mayReturn && (
        <Button size="sm" isBusy={isPending} busyLabel="Devolvendo..." onClick={() => mutate(rows)}>
          Devolver à fila
        </Button>
      )}
    </p>
  )
}
