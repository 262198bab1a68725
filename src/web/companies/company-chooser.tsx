import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CompanyOption } from '#shared/contacts/companies.ts'
import { Chooser } from '#web/ui/fields/chooser.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { companyQueries } from './queries.ts'

const CreateCompanyDialog = onDemand(
  async () => (await import('./create-company-dialog.tsx')).CreateCompanyDialog,
)

type Named = Pick<CompanyOption, 'id' | 'name'>

/** Represents no company: the list allows no empty value. */
const none = 'null'
const noCompany = 'Sem empresa'

/** Chooses a contact's company or creates one. Inactive ones are not offered. @see specification §2 Chat */
export function CompanyChooser({
  company,
  onChoose,
  className,
}: {
  company: Named | null
  onChoose: (company: Named | null) => void
  className?: string
}) {
  const [isWanted, setWanted] = useState(false)
  const [isCreating, setCreating] = useState(false)
  const { data, isError, refetch } = useQuery({
    ...companyQueries.options(),
    enabled: isWanted,
    staleTime: 0,
  })
  const offered = data?.filter(({ id, isActive }) => isActive || id === company?.id)
  return (
    <>
      <Chooser
        label="Empresa"
        shown={company?.name ?? noCompany}
        value={company ? String(company.id) : none}
        options={
          offered && [
            { value: none, label: noCompany },
            ...offered.map(({ id, name }) => ({ value: String(id), label: name })),
          ]
        }
        onOpen={() => (isWanted ? void refetch() : setWanted(true))}
        onRetry={isError ? () => void refetch() : undefined}
        onChoose={(value) => onChoose(offered?.find(({ id }) => String(id) === value) ?? null)}
        searchPlaceholder="Buscar empresa..."
        nothingFound="Nenhuma empresa corresponde à busca"
        action={{ label: '+ Criar Nova Empresa', onSelect: () => setCreating(true) }}
        {...(className && { className })}
      />
      {isCreating && <CreateCompanyDialog onClose={() => setCreating(false)} onCreated={onChoose} />}
    </>
  )
}
