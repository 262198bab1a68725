import { useMutation, useQueryClient } from '@tanstack/react-query'
import { UserRoundPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { takeNextConversation } from '#shared/conversations/conversation-endpoints.ts'
import type { SectorAsked } from '#shared/sectors/sector-asked.ts'
import type { Me } from '#shared/users/users.ts'
import { ApiError, call } from '#web/platform/api/api.ts'
import { type Command, useCommands } from '#web/platform/commands.ts'
import { Button, type ButtonProps } from '#web/ui/buttons/button.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { patchConversation } from '#web/conversations/cache/live-patches.ts'

/** 'Assumir próxima': takes the conversation that has waited longest in the queue, and opens it. */
export function TakeNext({
  sectorId,
  trigger,
}: {
  /** Only from the queue of this sector. */
  sectorId?: SectorAsked | undefined
  /** Absent: offered in the command palette only. */
  trigger?: (take: () => void, isTaking: boolean) => ReactNode
}) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const isAllowed = useCan('takeNext')
  const me = useMe()
  const next = useMutation({
    mutationFn: () =>
      call(takeNextConversation, { body: typeof sectorId === 'number' ? { sectorId } : undefined }),
    onSuccess: ({ conversation }) => {
      patchConversation(client, conversation.id, conversation)
      navigate(`/chat?conversation=${conversation.id}`)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'conversations.queue_empty')
        return toast({ tone: 'info', title: emptyText(me, sectorId) })
      toastRefusal('Erro ao assumir a próxima conversa', error)
    },
  })
  const take = () => {
    if (!next.isPending) next.mutate()
  }
  const command: Command = {
    id: 'take-next',
    group: 'Conversas',
    label: 'Assumir próxima',
    icon: UserRoundPlus,
    letter: 'P',
    run: take,
  }
  useCommands(!trigger && isAllowed ? [command] : [])
  if (!isAllowed) return null
  return trigger?.(take, next.isPending) ?? null
}

/** 'Assumir próxima' as a button. */
export function TakeNextButton({
  sectorId,
  ...props
}: Pick<ButtonProps, 'variant' | 'className'> & { sectorId?: SectorAsked | undefined }) {
  return (
    <TakeNext
      sectorId={sectorId}
      trigger={(take, isTaking) => (
        <Button {...props} icon={UserRoundPlus} onClick={take} isBusy={isTaking} busyLabel="Assumindo...">
          Assumir próxima
        </Button>
      )}
    />
  )
}

/** The list may show who waits in the queues of others. */
function emptyText({ hasSectors, sectors }: Me, sectorId: SectorAsked | undefined): string {
  if (!hasSectors) return 'Ninguém espera na fila'
  const isOfOthers = sectors.length > 0 && !sectors.some(({ id }) => id === sectorId)
  return typeof sectorId === 'number' && isOfOthers
    ? 'Você assume só das filas dos seus setores'
    : 'Ninguém espera na sua fila'
}
