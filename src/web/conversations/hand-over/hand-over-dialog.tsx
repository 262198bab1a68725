import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Forward } from 'lucide-react'
import { useId, useState } from 'react'
import { handOver } from '#shared/conversations/hand-over.ts'
import { call } from '#web/platform/api/api.ts'
import { useMe, userQueries } from '#web/users/users.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { useDiscard } from '#web/ui/forms/discarding.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { conversationsText } from './conversations-text.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { Receivers } from './receivers.tsx'
import { TeamNote } from './team-note.tsx'
import { handedOverText } from './hand-over-texts.ts'

/**
 * Hands all open conversations of the signed-in person to the queue or to a colleague, with a note for the
 * team.
 */
export function HandOverDialog({
  mayReturn,
  mayTransfer,
  onClose,
}: {
  mayReturn: boolean
  mayTransfer: boolean
  onClose: () => void
}) {
  const client = useQueryClient()
  const me = useMe()
  const open = useQuery(conversationQueries.open())
  const operators = useQuery({ ...userQueries.operators(), enabled: mayTransfer })
  const mine = open.data?.filter(({ assignedUserId }) => assignedUserId === me.id)
  const count = mine?.length
  const [where, setWhere] = useState<'queue' | 'colleague'>(mayReturn ? 'queue' : 'colleague')
  const [receiver, setReceiver] = useState<string>()
  const [note, setNote] = useState('')
  const discard = useDiscard(note.trim() !== '', onClose)
  const to = where === 'queue' ? null : receiver === undefined ? undefined : Number(receiver)
  const name = operators.data?.find(({ id }) => id === to)?.name
  const { mutate, isPending } = useMutation({
    mutationFn: (body: { to: number | null; note: string }) => call(handOver, { body }),
    onSuccess: ({ handedOver }) => {
      toast({ tone: 'success', title: handedOverText(handedOver, name) })
      onClose()
    },
    onError: ({ message }) =>
      toast({ tone: 'error', title: `Erro ao passar o turno: ${message || 'Tente novamente'}` }),
    onSettled: () => client.invalidateQueries({ queryKey: conversationQueries.all }),
  })
  const hasAny = count !== undefined && count > 0
  return (
    <Dialog
      isOpen
      onClose={discard.close}
      title="Passar meu turno"
      description={
        hasAny
          ? `${conversationsText(count)} ${
              to === null ? 'para a fila' : name ? `para ${name}` : 'para um colega'
            }`
          : undefined
      }
      footer={
        <>
          <Button onClick={discard.close}>Cancelar</Button>
          <Button
            variant="primary"
            icon={Forward}
            disabled={!hasAny || to === undefined}
            isBusy={isPending}
            busyLabel="Passando..."
            onClick={() => to !== undefined && mutate({ to, note })}
          >
            {hasAny ? `Passar ${conversationsText(count)}` : 'Passar'}
          </Button>
        </>
      }
    >
      {count === undefined ? (
        open.isError ? (
          <ErrorState
            description="Não foi possível carregar as conversas."
            onRetry={() => void open.refetch()}
          />
        ) : (
          <Skeleton className="h-44" />
        )
      ) : count === 0 ? (
        <EmptyState title="Você não tem conversas abertas" />
      ) : (
        <>
          {mayReturn && mayTransfer && <Where value={where} onChoose={setWhere} />}
          {where === 'colleague' && (
            <Receivers
              holderId={me.id}
              instanceIds={mine?.map(({ instanceId }) => instanceId) ?? []}
              sectorIds={mine?.map(({ sectorId }) => sectorId) ?? []}
              chosen={receiver}
              onChoose={setReceiver}
            />
          )}
          <TeamNote value={note} onChange={setNote} hint="Fica em cada conversa; o cliente não a vê." />
        </>
      )}
      {discard.question}
    </Dialog>
  )
}

const places = { queue: 'Para a fila', colleague: 'Para um colega' } as const
type Place = keyof typeof places

function Where({ value, onChoose }: { value: Place; onChoose: (where: Place) => void }) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
      <legend className="sr-only">Para onde</legend>
      {(Object.keys(places) as Place[]).map((each) => (
        <label key={each} className="flex md:min-h-8 items-center gap-2 text-sm">
          <input
            type="radio"
            name={name}
            checked={each === value}
            onChange={() => onChoose(each)}
            className="size-4 accent-accent"
          />
          {places[each]}
        </label>
      ))}
    </fieldset>
  )
}
