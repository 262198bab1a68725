import { Ban, CircleCheck, CircleDashed, RotateCcw, TriangleAlert } from 'lucide-react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { unknownContact } from '#shared/text/text.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { type BulkAct, isRepeatable, type Outcome, summaryOf } from './bulk-run.ts'

/** What became of each of several conversations, while it happens and afterwards. */
export function BulkResults({
  act,
  rows,
  outcomes,
  isRunning,
  onStop,
  onRetry,
  onClose,
}: {
  act: BulkAct
  rows: readonly Conversation[]
  outcomes: ReadonlyMap<number, Outcome>
  isRunning: boolean
  /** What is under way is still done. */
  onStop: () => void
  /** Repeats what failed, and does what was not begun. */
  onRetry: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      isOpen
      onClose={isRunning ? onStop : onClose}
      title={isRunning ? 'Em andamento' : 'O que foi feito'}
      description={
        <span role="status">
          {isRunning ? `${outcomes.size} de ${rows.length}` : summaryOf(act, rows, outcomes)}
        </span>
      }
      footer={
        isRunning ? (
          <Button onClick={onStop}>Parar</Button>
        ) : (
          <>
            {rows.some(({ id }) => isRepeatable(outcomes.get(id))) && (
              <Button icon={RotateCcw} onClick={onRetry}>
                Tentar de novo
              </Button>
            )}
            <Button variant="primary" onClick={onClose}>
              Fechar
            </Button>
          </>
        )
      }
    >
      <ul aria-label="Resultado" className="grid max-h-80 overflow-y-auto">
        {rows.map((row) => {
          const { id, contact } = row
          return (
            <li
              key={id}
              className="flex min-h-12 min-w-0 items-center gap-2.5 border-b border-line py-1.5 last:border-0"
            >
              <Avatar name={contact.name || unknownContact} src={contact.avatarUrl} size={28} />
              <span className="grid min-w-0 flex-1">
                <span className="truncate text-sm font-medium" title={contact.name} dir="auto">
                  {contact.name || unknownContact}
                </span>
                <OutcomeLine
                  outcome={outcomes.get(id)}
                  doneLabel={act.doneLabel(row)}
                  isRunning={isRunning}
                />
              </span>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

const looks = {
  done: { icon: CircleCheck, tone: 'text-green-text' },
  refused: { icon: Ban, tone: 'text-amber-text' },
  failed: { icon: TriangleAlert, tone: 'text-red-text' },
}

function OutcomeLine({
  outcome,
  doneLabel,
  isRunning,
}: {
  outcome: Outcome | undefined
  doneLabel: string
  isRunning: boolean
}) {
  if (!outcome)
    return (
      <span className="flex items-center gap-1.5 text-xs text-ink-3">
        {isRunning ? <Spinner size={12} /> : <CircleDashed aria-hidden size={12} />}
        {isRunning ? 'Aguardando...' : 'Não iniciada'}
      </span>
    )
  const { icon: Icon, tone } = looks[outcome.kind]
  return (
    <span className={`flex min-w-0 items-start gap-1.5 text-xs ${tone}`}>
      <Icon aria-hidden size={12} className="mt-0.5 flex-none" />
      {outcome.kind === 'done' ? doneLabel : outcome.reason}
    </span>
  )
}
