import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { daysOf, plainSubject, type Report, type Subject } from '#web/reports/asked/use-report.ts'
import { daysText } from '#web/reports/asked/words.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { ToggleChip } from '#web/ui/fields/filter-chip.tsx'
import { PeriodControl } from './period-control.tsx'
import { OperatorSelect, SubjectChips } from './subject-chips.tsx'

const chipsLook = [
  'flex items-center gap-1.5 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 max-md:py-1',
  'max-md:*:flex-none md:flex-wrap',
].join(' ')

/**
 * What the report is about. All of it applies at once but for 'Personalizado', which waits for 'Gerar
 * Relatório': of two dates the first one alone says nothing. For the other periods the button fetches again.
 * @see specification §4 Report period
 */
export function ReportFilters({
  report,
  today,
  isLoading,
  onGenerate,
}: {
  report: Report
  today: string
  isLoading: boolean
  /** With the same subject once more: what is shown is loaded again. */
  onGenerate: () => void
}) {
  const [draft, setDraft] = useDraft(report.subject)
  const isCustom = draft.period === 'custom'
  const isReversed = isCustom && !!draft.startDate && !!draft.endDate && draft.startDate > draft.endDate
  const isIncomplete = isCustom && (!draft.startDate || !draft.endDate)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(report.subject)
  const set = (next: Subject) => {
    const changed = plainSubject({ ...draft, ...next })
    setDraft(changed)
    if (changed.period !== 'custom') report.ask(changed)
  }
  const generate = () => {
    if (isChanged) report.ask(draft)
    else onGenerate()
  }
  return (
    <form
      role="search"
      aria-label="Filtros do relatório"
      className="mb-3 grid grid-cols-[minmax(0,1fr)] gap-2 print:hidden"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReversed && !isIncomplete) generate()
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <PeriodControl subject={draft} today={today} isReversed={isReversed} onChange={set} />
        <OperatorSelect value={draft.operatorId} onChange={(operatorId) => set({ operatorId })} />
        <Button
          type="submit"
          variant="primary"
          className="max-md:grow md:ml-auto md:min-w-32"
          isBusy={isLoading}
          busyLabel="Gerando..."
          disabled={isReversed || isIncomplete}
        >
          Gerar Relatório
        </Button>
      </div>
      <div className={chipsLook}>
        <SubjectChips subject={draft} onChange={set} />
        <ToggleChip
          label="Comparar"
          icon={ArrowLeftRight}
          isOn={report.isCompared}
          onToggle={() => report.setCompared(!report.isCompared)}
        />
      </div>
      {isReversed ? (
        <p role="alert" className="text-sm text-red-text">
          A data final é anterior à data inicial
        </p>
      ) : (
        isChanged && (
          <p role="status" className="text-sm text-ink-2">
            Clique em Gerar Relatório para ver {daysText(daysOf(draft, today))}.
          </p>
        )
      )}
    </form>
  )
}

/** What is chosen before it is asked for; another address begins anew. */
function useDraft(subject: Subject) {
  const key = JSON.stringify(subject)
  const [state, setState] = useState({ key, draft: subject })
  const isCurrent = state.key === key
  if (!isCurrent) setState({ key, draft: subject })
  const set = (draft: Subject) => setState({ key, draft })
  return [isCurrent ? state.draft : subject, set] as const
}
