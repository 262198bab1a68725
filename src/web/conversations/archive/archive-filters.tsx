import { useQuery } from '@tanstack/react-query'
import { History, Lock, Paperclip } from 'lucide-react'
import { type FocusEvent, useState } from 'react'
import { listTags } from '#shared/contacts/contact-changes.ts'
import type { ArchiveFilter } from '#shared/conversations/archive.ts'
import { categoryLabel } from '#shared/text/text.ts'
import { companyQueries } from '#web/companies/companies.tsx'
import { contactQueries } from '#web/contacts/contacts.tsx'
import { call } from '#web/platform/api/api.ts'
import { dayKey } from '#web/platform/dates.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { ChoiceChip, ToggleChip } from '#web/ui/fields/filter-chip.tsx'
import { PeriodChip } from '#web/ui/fields/period-chip.tsx'
import { useMe, userQueries } from '#web/users/users.tsx'
import { ReasonFilter } from '#web/reasons/reasons.tsx'
import { TagFilter } from '#web/tags/tags.tsx'
import { useSectors } from '#web/sectors/sectors.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'

const ratings = [
  ...['5', '4', '3', '2', '1'].map((value) => ({
    value,
    label: value === '1' ? '1 estrela' : `${value} estrelas`,
  })),
  { value: 'none', label: 'Sem avaliação' },
]

/** On a small screen it scrolls sideways. */
const barLook = [
  'flex items-center gap-1.5 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 max-md:py-1',
  'max-md:*:flex-none md:flex-wrap',
].join(' ')

/** The chips above the list. */
export function ArchiveFilters({
  filter,
  onChange,
}: {
  filter: ArchiveFilter
  onChange: (next: { [Name in keyof ArchiveFilter]?: ArchiveFilter[Name] | undefined }) => void
}) {
  const today = dayKey(useNow(60_000))
  // The lists are fetched when somebody turns to the chips, or when one of them has to be named.
  const [isWanted, setWanted] = useState(false)
  const want = (chosen: unknown) => isWanted || chosen !== undefined
  const numbers = useNumbers()
  const sectors = useSectors()
  const { hasSectors } = useMe()
  const { instanceId, sectorId, category, operatorId, companyId, tag, tagId } = filter
  const { from, to, satisfaction, files, notes, history, reason } = filter
  const operators = useQuery({ ...userQueries.operators(), enabled: want(operatorId) })
  const categories = useQuery({ ...contactQueries.categories(), enabled: want(category) })
  const companies = useQuery({ ...companyQueries.options(), enabled: want(companyId) })
  const tags = useQuery({
    queryKey: [...contactQueries.all, 'tags'],
    queryFn: ({ signal }) => call(listTags, { query: {}, signal }),
    enabled: isWanted,
  })
  const onFocus = (event: FocusEvent) => event.target instanceof HTMLElement && setWanted(true)
  return (
    <div role="group" aria-label="Filtros">
      <div onFocus={onFocus} onPointerEnter={() => setWanted(true)} className={barLook}>
        <PeriodChip from={from} to={to} today={today} onChange={onChange} />
        {(numbers.all.length > 1 || instanceId !== undefined) && (
          <ChoiceChip
            label="Número"
            shown={
              instanceId === undefined
                ? undefined
                : (numbers.find(instanceId)?.name ?? `Número ${instanceId}`)
            }
            value={instanceId === undefined ? '' : String(instanceId)}
            options={numbers.all.map(({ id, name, isDeleted }) => ({
              value: String(id),
              label: isDeleted ? `${name} (excluído)` : name,
            }))}
            searchPlaceholder="Buscar número..."
            nothingFound="Nenhum número corresponde à busca"
            anything="Qualquer número"
            onChoose={(value) => onChange({ instanceId: Number(value) })}
            onClear={() => onChange({ instanceId: undefined })}
          />
        )}
        {(hasSectors || sectorId !== undefined) && (
          <ChoiceChip
            label="Setor"
            shown={sectorId === undefined ? undefined : (sectors.find(sectorId)?.name ?? `Setor ${sectorId}`)}
            value={sectorId === undefined ? '' : String(sectorId)}
            options={sectors.all.map(({ id, name, isDeleted }) => ({
              value: String(id),
              label: isDeleted ? `${name} (excluído)` : name,
            }))}
            searchPlaceholder="Buscar setor..."
            nothingFound="Nenhum setor corresponde à busca"
            anything="Qualquer setor"
            onChoose={(value) => onChange({ sectorId: Number(value) })}
            onClear={() => onChange({ sectorId: undefined })}
          />
        )}
        <ChoiceChip
          label="Operador"
          shown={
            operatorId === undefined
              ? undefined
              : (operators.data?.find(({ id }) => id === operatorId)?.name ?? `Operador ${operatorId}`)
          }
          value={operatorId === undefined ? '' : String(operatorId)}
          options={operators.data?.map(({ id, name }) => ({ value: String(id), label: name }))}
          searchPlaceholder="Buscar operador..."
          nothingFound="Ninguém corresponde à busca"
          anything="Qualquer operador"
          onChoose={(value) => onChange({ operatorId: Number(value) })}
          onClear={() => onChange({ operatorId: undefined })}
        />
        <ChoiceChip
          label="Categoria"
          shown={category === undefined || category === 'all' ? undefined : categoryLabel(category)}
          value={category ?? ''}
          options={categories.data?.map(({ name }) => ({ value: name, label: name }))}
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
          options={tags.data?.map((one) => ({ value: one.tag, label: `${one.tag} (${one.count})` }))}
          searchPlaceholder="Buscar etiqueta..."
          nothingFound="Nenhuma etiqueta em uso"
          anything="Qualquer etiqueta"
          onChoose={(value) => onChange({ tag: value })}
          onClear={() => onChange({ tag: undefined })}
        />
        <TagFilter value={tagId} onChange={(next) => onChange({ tagId: next })} />
        <ReasonFilter value={reason} onChange={(next) => onChange({ reason: next })} />
        <ChoiceChip
          label="Satisfação"
          shown={ratings.find(({ value }) => value === satisfaction)?.label}
          value={satisfaction ?? ''}
          options={ratings}
          anything="Qualquer avaliação"
          onChoose={(value) =>
            onChange({ satisfaction: value as NonNullable<ArchiveFilter['satisfaction']> })
          }
          onClear={() => onChange({ satisfaction: undefined })}
        />
        <ToggleChip
          label="Com arquivos"
          icon={Paperclip}
          isOn={files === 'with'}
          onToggle={() => onChange({ files: files === 'with' ? undefined : 'with' })}
        />
        <ToggleChip
          label="Com notas internas"
          icon={Lock}
          isOn={notes === 'with'}
          onToggle={() => onChange({ notes: notes === 'with' ? undefined : 'with' })}
        />
        <ToggleChip
          label="Sem histórico importado"
          icon={History}
          isOn={history === 'without'}
          onToggle={() => onChange({ history: history === 'without' ? undefined : 'without' })}
        />
      </div>
    </div>
  )
}
