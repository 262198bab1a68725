import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { toast } from '#web/ui/states/toast.ts'
import { useUndoMs } from '#web/conversations/hand-over/undo-time.ts'
import { type BulkAct, isRepeatable, type Outcome, runBulk, summaryOf, undoBulk } from './bulk-run.ts'

interface Run {
  act: BulkAct
  rows: readonly Conversation[]
  outcomes: ReadonlyMap<number, Outcome>
  isRunning: boolean
}

const doneIn = (outcomes: ReadonlyMap<number, Outcome>): number[] =>
  [...outcomes].filter(([, { kind }]) => kind === 'done').map(([id]) => id)

/** A run that ends sooner shows nothing while it lasts. */
const slowAfterMs = 400

/**
 * One run at a time, of which what was not done is shown.
 * @param onDone called in the end with the ids of what was
 */
export function useBulk(onDone: (ids: number[]) => void) {
  const client = useQueryClient()
  const undoMs = useUndoMs()
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
    const { undo } = act
    toast({
      tone: isWhole ? 'success' : 'error',
      title: summaryOf(act, all, outcomes),
      ...(undo &&
        undoMs > 0 && {
          action: {
            label: 'Desfazer',
            forMs: undoMs,
            onClick: () => void takeBack(undo, doneIn(outcomes)),
          },
        }),
    })
    finish({ act, rows: all, outcomes, isRunning: false })
  }
  const takeBack = async (undo: NonNullable<BulkAct['undo']>, ids: number[]) => {
    const undone = await undoBulk(client, undo, ids)
    const left = ids.length - undone
    toast({
      tone: left === 0 ? 'info' : 'error',
      title: undone === 1 ? '1 finalização desfeita' : `${undone} finalizações desfeitas`,
      ...(left > 0 && {
        description: left === 1 ? '1 já não podia ser desfeita' : `${left} já não podiam ser desfeitas`,
      }),
    })
  }
  const finish = ({ outcomes }: Run) => {
    setRun(undefined)
    onDone(doneIn(outcomes))
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
