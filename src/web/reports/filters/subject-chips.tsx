import { useQuery } from '@tanstack/react-query'
import { type FocusEvent, useState } from 'react'
import { listTags } from '#shared/contacts/contact-changes.ts'
import { categoryLabel } from '#shared/text/text.ts'
import { companyQueries } from '#web/companies/companies.tsx'
import { contactQueries } from '#web/contacts/contacts.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'
import { useSectors } from '#web/sectors/sectors.tsx'
import { call } from '#web/platform/api/api.ts'
import { ChoiceChip } from '#web/ui/fields/filter-chip.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { useMe, userQueries } from '#web/users/users.tsx'
import type { Subject } from '#web/reports/asked/use-report.ts'
import { useNarrowedTo } from './use-narrowed-to.ts'

const everybody = 'all'

export function OperatorSelect({
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

/** By number and sector (where there are several), category, company and tag. */
export function SubjectChips({ subject, onChange }: { subject: Subject; onChange: (next: Subject) => void }) {
  const numbers = useNumbers()
  const sectors = useSectors()
  const { hasSectors } = useMe()
  const names = useNarrowedTo(subject)
  const [isWanted, setWanted] = useState(false)
  const { instanceId, sectorId, category, companyId, tag } = subject
  const categories = useQuery({ ...contactQueries.categories(), enabled: isWanted })
  const companies = useQuery({ ...companyQueries.options(), enabled: isWanted })
  const tags = useQuery({
    queryKey: [...contactQueries.all, 'tags'],
    queryFn: ({ signal }) => call(listTags, { query: {}, signal }),
    enabled: isWanted,
  })
  const onFocus = (event: FocusEvent) => event.target instanceof HTMLElement && setWanted(true)
  return (
    <span className="contents max-md:*:flex-none" onFocus={onFocus} onPointerEnter={() => setWanted(true)}>
      {(numbers.all.length > 1 || instanceId !== undefined) && (
        <ChoiceChip
          label="Número"
          shown={names.number}
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
          shown={names.sector}
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
        label="Categoria"
        shown={names.category}
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
        shown={names.company}
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
