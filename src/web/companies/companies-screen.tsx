import { useQuery } from '@tanstack/react-query'
import { Building2, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Company } from '#shared/contacts/companies.ts'
import { useLastPage, usePageFilter } from '#web/platform/browser/use-page-filter.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ListBar } from '#web/ui/layout/list-bar.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { useCan } from '#web/users/users.tsx'
import { CompanyCard } from './company-card.tsx'
import { CompanyDialog } from './company-dialog.tsx'
import { DuplicateCompanies } from './duplicate-companies.tsx'
import { DeleteCompanyDialog } from './delete-company-dialog.tsx'
import { companyQueries } from './queries.ts'

const pageSizes = [5, 10, 20, 30, 50]

/** `/companies`: the companies that contacts belong to. @see specification §2 Companies */
export function CompaniesScreen() {
  return useCan('viewCompanies') ? <Companies /> : <DeniedState isPage />
}

type Asked = { kind: 'create' } | { kind: 'edit' | 'delete'; company: Company }

function Companies() {
  const { filter, change, typed, setTyped } = usePageFilter(pageSizes)
  const { data, error, isFetching, refetch } = useQuery(companyQueries.page(filter))
  const mayMerge = useCan('mergeCompanies')
  const [asked, setAsked] = useState<Asked>()
  const { companies = [], pagination } = data ?? {}
  const { total = 0, totalPages = 1 } = pagination ?? {}
  useLastPage(filter.page, pagination?.totalPages, (page) => change({ page }))
  const first = (filter.page - 1) * filter.limit
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setAsked({ kind: 'create' })}>
      Nova Empresa
    </Button>
  )
  return (
    <Page title="Empresas" subtitle="Gerenciamento de empresas" actions={create}>
      <ListBar
        typed={typed}
        onType={setTyped}
        placeholder="Buscar por nome, telefone ou responsável..."
        range={companies.length > 0 && `${first + 1}-${first + companies.length} de ${total} empresa(s)`}
        sizes={pageSizes}
        limit={filter.limit}
        onLimit={(limit) => change({ limit })}
      />
      {mayMerge && <DuplicateCompanies />}
      {data ? (
        total > 0 ? (
          <ul aria-label="Empresas" className="grid grid-cols-1 gap-3 md:grid-cols-2 xl:grid-cols-3">
            {companies.map((company) => (
              <CompanyCard
                key={company.id}
                company={company}
                onEdit={() => setAsked({ kind: 'edit', company })}
                onDelete={() => setAsked({ kind: 'delete', company })}
              />
            ))}
          </ul>
        ) : (
          <Card>
            {filter.search === '' ? (
              <EmptyState
                icon={Building2}
                title="Nenhuma empresa encontrada."
                description="Cadastre a primeira."
                action={create}
              />
            ) : (
              <EmptyState
                icon={Building2}
                title="Nenhuma empresa encontrada para a busca"
                action={<Button onClick={() => setTyped('')}>Limpar busca</Button>}
              />
            )}
          </Card>
        )
      ) : error ? (
        <Card>
          <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
        </Card>
      ) : (
        <CardsSkeleton />
      )}
      <Pager
        className="mt-3 flex-none"
        isWorded
        page={filter.page}
        totalPages={totalPages}
        onPage={(page) => change({ page })}
      />
      {asked?.kind === 'delete' && (
        <DeleteCompanyDialog company={asked.company} onClose={() => setAsked(undefined)} />
      )}
      {asked && asked.kind !== 'delete' && (
        <CompanyDialog
          company={asked.kind === 'edit' ? asNow(asked.company, companies) : undefined}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Page>
  )
}

/** The company as the list has it by now, since a colleague may have changed it. */
const asNow = (company: Company, companies: readonly Company[]) =>
  companies.find(({ id }) => id === company.id) ?? company

function CardsSkeleton() {
  return (
    <div
      role="status"
      aria-busy
      aria-label="Carregando empresas..."
      className="grid grid-cols-1 gap-3 md:grid-cols-2 xl:grid-cols-3"
    >
      {Array.from({ length: 9 }, (_, at) => (
        <div key={at} className="grid h-[141px] content-start gap-3 rounded-card border border-line p-3.5">
          <div className="flex items-center gap-2.5">
            <Skeleton className="size-9" />
            <Skeleton className="w-40" />
          </div>
          <Skeleton className="ml-11 w-28" />
          <Skeleton className="ml-11 w-36" />
        </div>
      ))}
    </div>
  )
}
