import { useQueryClient } from '@tanstack/react-query'
import { ArrowRightLeft, Check, CheckCheck, MessageSquareCheck, X } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan } from '#web/users/users.tsx'
import { useUnread } from '#web/conversations/mutations/reads.ts'
import { type BulkAct, isRepeatable, type Outcome, readingAll, runBulk, summaryOf } from './bulk-run.ts'
import { FinalizeSeveral, TransferSeveral } from './bulk-dialogs.tsx'
import { BulkResults } from './bulk-results.tsx'
import type { Selection } from './use-selection.ts'

/** What can be done with the selected conversations, floating over the end of their list. */
export function SelectionBar({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const { rows, isWhole } = selection
  const bulk = useBulk(selection)
  const unread = useUnread()
  const [asked, setAsked] = useState<'transfer' | 'finalize'>()
  const mayTransfer = useCan('transfer')
  const mayFinalize = useCan('finalize')
  const isEmpty = rows.length === 0
  const close = () => setAsked(undefined)
  const start = (act: BulkAct) => {
    close()
    bulk.start(act, rows)
  }
  return (
    <div
      role="group"
      aria-label="Seleção"
      className={[
        'animate-pop @container absolute inset-x-2 bottom-2 z-10 mx-auto max-w-[720px]',
        'rounded-card bg-surface shadow-float',
      ].join(' ')}
    >
      <div className="flex flex-wrap items-center p-1.5">
        <div className="flex min-w-0 flex-1 items-center gap-1 @max-2xl:basis-full">
          <IconButton label="Encerrar a seleção" icon={X} onClick={onClose} />
          <p role="status" className="min-w-0 flex-1 truncate text-sm font-medium tabular-nums">
            {rows.length === 1 ? '1 selecionada' : `${rows.length} selecionadas`}
          </p>
          <BarButton
            label="Selecionar todas"
            icon={CheckCheck}
            disabled={isWhole}
            onClick={selection.chooseAll}
          />
        </div>
        <div className="flex items-center gap-1 @max-2xl:basis-full @max-2xl:justify-between">
          <BarButton
            label="Marcar como lidas"
            icon={MessageSquareCheck}
            disabled={isEmpty}
            isBusy={bulk.isRunning}
            onClick={() => start(readingAll(unread))}
          />
          {mayTransfer && (
            <BarButton
              label="Transferir"
              icon={ArrowRightLeft}
              disabled={isEmpty}
              onClick={() => setAsked('transfer')}
            />
          )}
          {mayFinalize && (
            <BarButton
              label="Finalizar"
              icon={Check}
              disabled={isEmpty}
              onClick={() => setAsked('finalize')}
            />
          )}
        </div>
      </div>
      {asked === 'transfer' && <TransferSeveral rows={rows} onStart={start} onClose={close} />}
      {asked === 'finalize' && <FinalizeSeveral rows={rows} onStart={start} onClose={close} />}
      {bulk.results && <BulkResults {...bulk.results} />}
    </div>
  )
}

/** Without its icon where there is no room for it. */
function BarButton(props: {
  label: string
  icon: LucideIcon
  disabled?: boolean
  isBusy?: boolean
  onClick: () => void
}) {
  const { label, ...rest } = props
  return (
    <Button variant="ghost" size="sm" {...rest} className="@max-2xl:[&>svg]:hidden">
      {label}
    </Button>
  )
}

interface Run {
  act: BulkAct
  rows: readonly Conversation[]
  outcomes: ReadonlyMap<number, Outcome>
  isRunning: boolean
}

/** A run that ends sooner shows nothing while it lasts. */
const slowAfterMs = 400

/** One run at a time; what was done leaves the selection, and the rest is shown. */
function useBulk(selection: Selection) {
  const client = useQueryClient()
  const [run, setRun] = useState<Run>()
  const [isSlow, setSlow] = useState(false)
  const isStopped = useRef(false)
  const isBusy = useRef(false)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const begin = async (act: BulkAct, rows: readonly Conversation[], before?: Run) => {
    if (isBusy.current || rows.length === 0) return
    isBusy.current = true
    isStopped.current = false
    const all = before?.rows ?? rows
    const outcomes = new Map(before?.outcomes)
    for (const { id } of rows) outcomes.delete(id)
    const show = (isRunning: boolean) => setRun({ act, rows: all, outcomes: new Map(outcomes), isRunning })
    show(true)
    setSlow(before !== undefined)
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    await runBulk(client, act, {
      rows,
      isRepeat: before !== undefined,
      isStopped: () => isStopped.current,
      onOutcome: (id, outcome) => {
        outcomes.set(id, outcome)
        show(true)
      },
    })
    clearTimeout(timer)
    isBusy.current = false
    const isWhole = all.every(({ id }) => outcomes.get(id)?.kind === 'done')
    if (!isWhole && !isGone.current) return show(false)
    toast({ tone: isWhole ? 'success' : 'error', title: summaryOf(act, all, outcomes) })
    finish({ act, rows: all, outcomes, isRunning: false })
  }
  const finish = ({ rows, outcomes }: Run) => {
    setRun(undefined)
    selection.drop(rows.map(({ id }) => id).filter((id) => outcomes.get(id)?.kind === 'done'))
  }
  return {
    isRunning: run?.isRunning ?? false,
    start: (act: BulkAct, rows: readonly Conversation[]) => void begin(act, rows),
    results: run &&
      (isSlow || !run.isRunning) && {
        ...run,
        onStop: () => (isStopped.current = true),
        onRetry: () =>
          void begin(
            run.act,
            run.rows.filter(({ id }) => isRepeatable(run.outcomes.get(id))),
            run,
          ),
        onClose: () => finish(run),
      },
  }
}
