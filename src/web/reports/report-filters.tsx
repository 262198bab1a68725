import { useQuery } from '@tanstack/react-query'
import { ArrowLeftRight, ChevronLeft, ChevronRight } from 'lucide-react'
import { type FocusEvent, useState } from 'react'
import { listTags } from '#shared/contacts/contact-changes.ts'
import { addDays, periodOf, periods } from '#shared/reports/periods.ts'
import { periodNames } from '#shared/text/reports/report-texts.ts'
import { categoryLabel } from '#shared/text/text.ts'
import { companyQueries } from '#web/companies/companies.tsx'
import { contactQueries } from '#web/contacts/contacts.tsx'
import { call } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { ChoiceChip, ToggleChip } from '#web/ui/fields/filter-chip.tsx'
import { Input } from '#web/ui/fields/input.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { userQueries } from '#web/users/users.tsx'
import { daysOf, type Report, type Subject } from '#web/reports/asked/use-report.ts'
import { daysText } from '#web/reports/asked/words.ts'

const chipsLook = [
  'flex items-center gap-1.5 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 max-md:py-1',
  'max-md:*:flex-none md:flex-wrap',
].join(' ')

/**
 * What the report is about. A day is loaded at once, other periods by 'Gerar Relatório'.
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
  const period = draft.period ?? 'day'
  const days = daysOf(draft, today)
  const isReversed =
    period === 'custom' && !!draft.startDate && !!draft.endDate && draft.startDate > draft.endDate
  const isIncomplete = period === 'custom' && (!draft.startDate || !draft.endDate)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(report.subject)
  const set = (next: Subject) => {
    const changed = { ...draft, ...next }
    setDraft(changed)
    if ((changed.period ?? 'day') === 'day') report.ask(changed)
  }
  const generate = () => {
    if (isChanged) report.ask(draft)
    else onGenerate()
  }
  const isCurrent = period !== 'custom' && days.startDate === periodOf(period, today).startDate
  const move = (by: -1 | 1) =>
    set({ startDate: by < 0 ? addDays(days.startDate, -1) : addDays(days.endDate, 1) })
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
        <Segmented
          label="Período"
          className="max-md:w-full"
          value={period}
          options={periods.map((value) => ({ value, label: periodNames[value] }))}
          onChange={(next) =>
            set(
              next === 'custom'
                ? {
                    period: next,
                    startDate: days.startDate,
                    endDate: days.endDate < today ? days.endDate : today,
                  }
                : { period: next, startDate: undefined, endDate: undefined },
            )
          }
        />
        {period === 'custom' ? (
          <span className="flex items-center gap-1.5 max-md:w-full">
            <Input
              type="date"
              aria-label="Data inicial"
              fieldSize="bar"
              className="md:w-36"
              value={draft.startDate ?? ''}
              onChange={(event) => set({ startDate: event.target.value || undefined })}
            />
            <span className="text-sm text-ink-3">a</span>
            <Input
              type="date"
              aria-label="Data final"
              aria-invalid={isReversed || undefined}
              fieldSize="bar"
              className="md:w-36"
              value={draft.endDate ?? ''}
              onChange={(event) => set({ endDate: event.target.value || undefined })}
            />
          </span>
        ) : (
          <span className="flex items-center gap-0.5 max-md:w-full max-md:justify-center">
            <IconButton icon={ChevronLeft} label="Período anterior" onClick={() => move(-1)} />
            <span className="min-w-28 text-center text-sm text-ink-2 tabular-nums">{daysText(days)}</span>
            <IconButton
              icon={ChevronRight}
              label="Período seguinte"
              disabled={isCurrent}
              onClick={() => move(1)}
            />
          </span>
        )}
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
        isChanged &&
        period !== 'day' && (
          <p role="status" className="text-sm text-ink-2">
            Clique em Gerar Relatório para ver {daysText(days)}.
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
  const set = (draft: Subject) => setState({ key, draft: cleaned(draft) })
  return [isCurrent ? state.draft : subject, set] as const
}

/** Without what is undefined, in the order of the URL's fields: two of the same are equal as JSON. */
const cleaned = ({ period, startDate, endDate, operatorId, category, companyId, tag }: Subject): Subject =>
  JSON.parse(
    JSON.stringify({
      period: period === 'day' ? undefined : period,
      startDate,
      endDate,
      operatorId,
      category,
      companyId,
      tag,
    }),
  ) as Subject

const everybody = 'all'

function OperatorSelect({
  value,
  onChange,
}: {
  value: number | undefined
  onChange: (operatorId: number | undefined) => void
}) {
  const { data } = useQuery(userQueries.operators())
  const isKnown = value === undefined || data?.some(({ id }) => id === value) === true
  return (
    <Select
      aria-label="Operador"
      fieldSize="bar"
      className="max-md:grow"
      value={value === undefined ? everybody : String(value)}
      onChange={(next) => onChange(next === everybody ? undefined : Number(next))}
      options={[
        { value: everybody, label: 'Todos os operadores' },
        ...(data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        // Somebody who no longer works here.
        ...(isKnown ? [] : [{ value: String(value), label: `Operador ${value}` }]),
      ]}
    />
  )
}

function SubjectChips({ subject, onChange }: { subject: Subject; onChange: (next: Subject) => void }) {
  const [isWanted, setWanted] = useState(false)
  const { category, companyId, tag } = subject
  const categories = useQuery({ ...contactQueries.categories(), enabled: isWanted || category !== undefined })
  const companies = useQuery({ ...companyQueries.options(), enabled: isWanted || companyId !== undefined })
  const tags = useQuery({
    queryKey: [...contactQueries.all, 'tags'],
    queryFn: ({ signal }) => call(listTags, { query: {}, signal }),
    enabled: isWanted,
  })
  const onFocus = (event: FocusEvent) => event.target instanceof HTMLElement && setWanted(true)
  return (
    <span className="contents max-md:*:flex-none" onFocus={onFocus} onPointerEnter={() => setWanted(true)}>
      <ChoiceChip
        label="Categoria"
        shown={category === undefined ? undefined : categoryLabel(category)}
        value={category ?? ''}
        options={categories.data?.map(({ name }) => ({ value: name, label: categoryLabel(name) }))}
        searchPlaceholder="Buscar categoria..."
        nothingFound="Nenhuma categoria corresponde à busca"
        anything="Qualquer categoria"
        onChoose={(value) => onChange({ category: value })}
        onClear={() => onChange({ category: undefined })}
      />
      <ChoiceChip
        label="Empresa"
        shown={
          companyId === undefined
            ? undefined
            : (companies.data?.find(({ id }) => id === companyId)?.name ?? `Empresa ${companyId}`)
        }
        value={companyId === undefined ? '' : String(companyId)}
        options={companies.data?.map(({ id, name }) => ({ value: String(id), label: name }))}
        searchPlaceholder="Buscar empresa..."
        nothingFound="Nenhuma empresa corresponde à busca"
        anything="Qualquer empresa"
        onChoose={(value) => onChange({ companyId: Number(value) })}
        onClear={() => onChange({ companyId: undefined })}
      />
      <ChoiceChip
        label="Etiqueta"
        shown={tag}
        value={tag ?? ''}
        options={tags.data?.map((one) => ({ value: one.tag, label: one.tag }))}
        searchPlaceholder="Buscar etiqueta..."
        nothingFound="Nenhuma etiqueta em uso"
        anything="Qualquer etiqueta"
        onChoose={(value) => onChange({ tag: value })}
        onClear={() => onChange({ tag: undefined })}
      />
    </span>
  )
}
