import { useQuery } from '@tanstack/react-query'
import { MailPlus, Plus, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import type { Account } from '#shared/users/accounts.ts'
import { roleLabels } from '#shared/text/text.ts'
import { pageOf, usePageFilter } from '#web/platform/browser/use-page-filter.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ListBar } from '#web/ui/layout/list-bar.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { OpenInvitations } from '#web/users/invitations/open-invitations.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { isFound } from './find.ts'
import { useCan, useMe } from '#web/users/me-context.ts'
import { AccountDialog } from './account-dialog.tsx'
import { AccountRow } from './account-row.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { useDepartures } from './last-access.tsx'
import { accountQueries } from './queries.ts'

/** With the permissions that can be chosen in it, which few invitations need. */
const InviteDialog = onDemand(
  async () => (await import('#web/users/invitations/invite-dialog.tsx')).InviteDialog,
)

const pageSizes = [5, 10, 20, 30, 50]
/** `/users`: who may sign in. Administrators only. */
export function UsersScreen() {
  const { id } = useMe()
  return useCan('viewUsers') ? <Users selfId={id} /> : <DeniedState isPage />
}

type Asked = { kind: 'create' } | { kind: 'invite' } | { kind: 'edit' | 'delete'; account: Account }

function Users({ selfId }: { selfId: number }) {
  const { filter, change, typed, setTyped } = usePageFilter(pageSizes)
  const accounts = useQuery(accountQueries.list())
  useDepartures()
  const canInvite = useCan('inviteUser')
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const found = accounts.data?.filter((account) => isFound(account, filter.search, roleLabels[account.role]))
  const shown = found && pageOf(found, filter)
  return (
    <Page
      title="Usuários"
      subtitle="Gerenciamento de usuários"
      actions={
        <>
          {canInvite && (
            <Button icon={MailPlus} onClick={() => setAsked({ kind: 'invite' })}>
              Convidar
            </Button>
          )}
          <Button variant="primary" icon={Plus} onClick={() => setAsked({ kind: 'create' })}>
            Novo Usuário
          </Button>
        </>
      }
    >
      <ListBar
        typed={typed}
        onType={setTyped}
        placeholder="Buscar por nome, username, email ou perfil..."
        range={
          shown &&
          shown.total > 0 &&
          `${shown.first + 1}-${shown.first + shown.rows.length} de ${shown.total} usuário(s)`
        }
        sizes={pageSizes}
        limit={filter.limit}
        onLimit={(limit) => change({ limit })}
      />
      <Card>
        {shown ? (
          shown.total > 0 ? (
            <AccountTable>
              {shown.rows.map((account) => (
                <AccountRow
                  key={account.id}
                  account={account}
                  isSelf={account.id === selfId}
                  onEdit={() => setAsked({ kind: 'edit', account })}
                  onDelete={() => setAsked({ kind: 'delete', account })}
                />
              ))}
            </AccountTable>
          ) : (
            <EmptyState
              icon={UserRoundX}
              title="Nenhum usuário encontrado"
              action={<Button onClick={() => setTyped('')}>Limpar busca</Button>}
            />
          )
        ) : accounts.error ? (
          <ErrorState
            description={accounts.error.message}
            isRetrying={accounts.isFetching}
            onRetry={() => void accounts.refetch()}
          />
        ) : (
          <TableSkeleton />
        )}
      </Card>
      {shown && shown.totalPages > 1 && (
        <Pager
          className="mt-2 flex-none"
          page={shown.page}
          totalPages={shown.totalPages}
          onPage={(page) => change({ page })}
        />
      )}
      {canInvite && <OpenInvitations />}
      {asked?.kind === 'delete' ? (
        <DeleteAccountDialog account={asked.account} onClose={close} />
      ) : asked?.kind === 'invite' ? (
        <InviteDialog onClose={close} />
      ) : (
        asked && (
          <AccountDialog
            account={asked.kind === 'edit' ? asked.account : undefined}
            isSelf={asked.kind === 'edit' && asked.account.id === selfId}
            onClose={close}
          />
        )
      )}
    </Page>
  )
}

const headLook = 'h-[34px] px-2 text-left text-xs font-medium text-ink-2 first:pl-4 last:pr-4'

/** On small screens the rows are cards, and the columns need no names. */
function AccountTable({ children }: { children: React.ReactNode }) {
  return (
    <table className="w-full border-collapse max-lg:block lg:table-fixed">
      <thead className="bg-sunken max-lg:sr-only">
        <tr>
          <th scope="col" className={headLook}>
            Usuário
          </th>
          <th scope="col" className={`${headLook} w-[24%]`}>
            Email
          </th>
          <th scope="col" className={`${headLook} w-33`}>
            Perfil
          </th>
          <th scope="col" className={`${headLook} w-52`}>
            Conversas
          </th>
          <th scope="col" className={`${headLook} w-32 text-right`}>
            Ações
          </th>
        </tr>
      </thead>
      <tbody className="max-lg:block">{children}</tbody>
    </table>
  )
}

function TableSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando usuários">
      {Array.from({ length: 8 }, (_, at) => (
        <div key={at} className="flex h-12 items-center gap-3 border-t border-line px-4 first:border-t-0">
          <Skeleton isRound className="size-7" />
          <Skeleton className="w-48" />
          <Skeleton className="ml-auto w-32 max-md:hidden" />
        </div>
      ))}
    </div>
  )
}
