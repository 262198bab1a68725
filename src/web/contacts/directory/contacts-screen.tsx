import { useQuery } from '@tanstack/react-query'
import { ContactRound, Merge, Plus } from 'lucide-react'
import { useState } from 'react'
import { type Contact, mostFound } from '#shared/contacts/contacts.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { useLastPage } from '#web/platform/browser/use-page-filter.ts'
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
import { DuplicatesDialog } from '#web/contacts/merging/duplicates-dialog.tsx'
import { ImportLink, RunningImport } from '#web/contacts/import/import-entry.tsx'
import { contactQueries } from '#web/contacts/queries.ts'
import { ContactDialog } from './contact-dialog.tsx'
import { ContactFilters } from './contact-filters.tsx'
import { ContactRow } from './contact-row.tsx'
import { ExportMenu } from './export-menu.tsx'
import { pageSizes, useContactFilter } from './use-contact-filter.ts'

/** `/contacts`: everybody who wrote or was entered. @see specification §2 Contacts */
export function ContactsScreen() {
  return useCan('viewContacts') ? <Contacts /> : <DeniedState isPage />
}

const number = new Intl.NumberFormat('pt-BR')

function Contacts() {
  const { filter, change, narrow, clear, isFiltered, typed, setTyped } = useContactFilter()
  const { data, error, isFetching, refetch } = useQuery(contactQueries.page(filter))
  const [edited, setEdited] = useState<Contact | 'new'>()
  const { contacts = [], pagination } = data ?? {}
  const { total = 0, totalPages = 1, hasMore = false } = pagination ?? {}
  useLastPage(filter.page, pagination?.totalPages, (page) => change({ page }))
  const first = (filter.page - 1) * filter.limit
  const of = hasMore ? `mais de ${number.format(mostFound)}` : number.format(total)
  const mayMerge = useCan('mergeContacts')
  const [isMerging, setMerging] = useState(false)
  const isWide = useMediaQuery('(min-width: 48rem)')
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setEdited('new')}>
      Novo Contato
    </Button>
  )
  const others = (
    <>
      {mayMerge && (
        <Button icon={Merge} onClick={() => setMerging(true)}>
          Repetidos
        </Button>
      )}
      <ExportMenu filter={filter} />
      <ImportLink />
    </>
  )
  return (
    <Page
      title="Contatos"
      subtitle="Gerenciamento de contatos"
      actions={
        isWide ? (
          <>
            {others}
            {create}
          </>
        ) : (
          create
        )
      }
    >
      {/* Below what is done most, which stands beside the heading. */}
      {!isWide && <div className="mb-3 flex flex-wrap gap-2">{others}</div>}
      <RunningImport />
      <ListBar
        typed={typed}
        onType={setTyped}
        placeholder="Buscar por nome, telefone ou email..."
        range={
          contacts.length > 0 &&
          `${number.format(first + 1)}-${number.format(first + contacts.length)} de ${of} contato(s)`
        }
        sizes={pageSizes}
        limit={filter.limit}
        onLimit={(limit) => change({ limit })}
      >
        <ContactFilters filter={filter} onChange={narrow} />
      </ListBar>
      <Card>
        {data ? (
          total > 0 ? (
            <ContactTable>
              {contacts.map((contact) => (
                <ContactRow key={contact.id} contact={contact} onEdit={() => setEdited(contact)} />
              ))}
            </ContactTable>
          ) : (
            <EmptyState
              icon={ContactRound}
              title="Nenhum contato encontrado"
              {...(isFiltered
                ? { action: <Button onClick={clear}>Limpar filtros</Button> }
                : { description: 'Quem escreve para a empresa aparece aqui sozinho.', action: create })}
            />
          )
        ) : error ? (
          <ErrorState
            title={`Erro ao carregar dados: ${error.message}`}
            description=""
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <TableSkeleton />
        )}
      </Card>
      <Pager
        className="mt-3 flex-none"
        isWorded
        page={filter.page}
        totalPages={totalPages}
        onPage={(page) => change({ page })}
      />
      {isMerging && <DuplicatesDialog onClose={() => setMerging(false)} />}
      {edited && (
        <ContactDialog
          contact={edited === 'new' ? undefined : asNow(edited, contacts)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

/** The contact as the list has it by now, since a colleague may have changed it. */
const asNow = (contact: Contact, contacts: readonly Contact[]) =>
  contacts.find(({ id }) => id === contact.id) ?? contact

/**
 * Columns as wide as what they show. Where there is not room for all, names, addresses and companies share
 * it: a short one leaves its part to the others, and what is left over goes to all of them.
 */
const columnsLook = [
  'md:grid md:gap-x-3 xl:gap-x-4',
  'md:grid-cols-[auto_fit-content(10rem)_max-content_max-content]',
  'lg:grid-cols-[auto_auto_fit-content(10rem)_max-content_max-content]',
  // The first is for the picture, with the padding of the row, and closer to the name than the others are.
  'xl:grid-cols-[38px_minmax(13rem,auto)_max-content_auto_auto_fit-content(10rem)_max-content_max-content]',
].join(' ')
const headLook = 'min-w-0 text-left text-xs font-medium text-ink-2'

/** On small screens the rows are cards, and the columns need no names. */
function ContactTable({ children }: { children: React.ReactNode }) {
  return (
    <table className={`w-full max-md:block ${columnsLook}`}>
      <thead className="md:col-span-full md:grid md:grid-cols-subgrid md:bg-sunken max-md:sr-only">
        <tr className="md:col-span-full md:grid md:h-[34px] md:grid-cols-subgrid md:items-center md:px-4">
          <th scope="col" className={`${headLook} xl:col-span-4`}>
            Contato
          </th>
          <th scope="col" className={`${headLook} max-lg:hidden`}>
            Empresa
          </th>
          <th scope="col" className={headLook}>
            Categoria
          </th>
          <th scope="col" className={headLook}>
            Status
          </th>
          <th scope="col" className={`${headLook} text-right`}>
            Ações
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block md:col-span-full md:grid md:grid-cols-subgrid">{children}</tbody>
    </table>
  )
}

function TableSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando...">
      {Array.from({ length: 10 }, (_, at) => (
        <div key={at} className="flex h-10 items-center gap-3 border-t border-line px-4 first:border-t-0">
          <Skeleton isRound className="size-7" />
          <Skeleton className="w-48" />
          <Skeleton className="ml-auto w-32 max-md:hidden" />
        </div>
      ))}
    </div>
  )
}
