import { Shuffle } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import type { Operator } from '#shared/users/users.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { BulkResults } from '#web/conversations/selection/bulk-results.tsx'
import { distributing } from '#web/conversations/selection/bulk-run.ts'
import { useBulk } from '#web/conversations/selection/use-bulk.ts'
import { distribute } from './distribution.ts'

/** Shows who would get how many of some conversations, and gives them away. */
export function DistributeDialog({
  rows,
  from,
  operators,
  open,
  sectors,
  onClose,
}: {
  /** In the order of their waits. */
  rows: readonly Conversation[]
  /** Who has them; undefined: they are in the queue. */
  from: string | undefined
  operators: readonly Operator[]
  open: readonly Conversation[]
  sectors: readonly Sector[]
  onClose: () => void
}) {
  // What was shown is what is done: who was taken meanwhile is refused, and said.
  const [{ given, left, found }] = useState(() => {
    const distribution = distribute(rows, operators, open, sectors)
    const given = rows.filter(({ id }) => !distribution || distribution.plan.has(id))
    return { given, left: rows.length - given.length, found: distribution }
  })
  const bulk = useBulk(onClose)
  if (bulk.results) return <BulkResults {...bulk.results} />
  const count = given.length
  const words = count === 1 ? 'A conversa' : `As ${count} conversas`
  const where =
    from === undefined ? 'da fila' : `de ${from} que ${count === 1 ? 'espera' : 'esperam'} resposta`
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={from === undefined ? 'Distribuir a fila' : `Distribuir as que esperam ${from}`}
      description={
        found && count > 0
          ? `${words} ${where} ${count === 1 ? 'vai' : 'vão'} para quem está disponível e tem menos abertas:`
          : undefined
      }
      footer={
        <>
          <Button onClick={onClose}>{found && count > 0 ? 'Cancelar' : 'Fechar'}</Button>
          {found && count > 0 && (
            <Button
              variant="primary"
              icon={Shuffle}
              isBusy={bulk.isRunning}
              busyLabel="Distribuindo..."
              onClick={() => bulk.start(distributing(found.plan), given)}
            >
              {`Distribuir ${count}`}
            </Button>
          )}
        </>
      }
    >
      {count === 0 ? (
        <EmptyState title="Ninguém espera mais" />
      ) : !found ? (
        <EmptyState
          title="Ninguém da equipe está disponível"
          description="Avise a equipe, ou assuma uma conversa."
        />
      ) : (
        <>
          <ul aria-label="Quem recebe" className="grid">
            {found.shares.map(({ operator, open: has, gets }) => (
              <li
                key={operator.id}
                className="flex min-h-11 items-center gap-2.5 border-b border-line text-sm last:border-0"
              >
                <Avatar name={operator.name} src={operator.pictureUrl} size={28} />
                <span className="min-w-0 flex-1 truncate font-medium" title={operator.name} dir="auto">
                  {operator.name}
                </span>
                <span className="text-ink-2 tabular-nums">{`${has} → ${has + gets}`}</span>
                <span className="w-9 text-right font-semibold tabular-nums">{`+${gets}`}</span>
              </li>
            ))}
          </ul>
          {left > 0 && (
            <p className="text-sm text-ink-2">
              {left === 1 ? '1 fica onde está: ' : `${left} ficam onde estão: `}
              {sectors.length === 0
                ? 'ninguém disponível atende o número.'
                : 'ninguém disponível atende o número e o setor.'}
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}
