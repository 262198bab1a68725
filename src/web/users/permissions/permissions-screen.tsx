import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Eye, ShieldCheck, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import type { Account } from '#shared/users/accounts.ts'
import { scopeLabels } from '#shared/users/scope.ts'
import type { UserPermission } from '#shared/users/user-permissions.ts'
import { pageOf, usePageFilter } from '#web/platform/browser/use-page-filter.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { ListBar } from '#web/ui/layout/list-bar.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { Pager } from '#web/ui/layout/pager.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { accountQueries } from '#web/users/accounts/queries.ts'
import { RoleBadge } from '#web/users/accounts/role-badge.tsx'
import { isFound } from '#web/users/accounts/find.ts'
import { useCan } from '#web/users/me-context.ts'
import { DutiesDialog } from './duties-dialog.tsx'
import { PermissionsDialog, type PermissionsTab } from './permissions-dialog.tsx'
import { permissionQueries } from './queries.ts'

const pageSizes = [5, 10, 20, 30, 50]
/** `/permissions`: who may do what. Administrators only. */
export function PermissionsScreen() {
  if (useCan('managePermissions')) return <Permissions />
  return <DeniedState isPage description={onlyAdmins} />
}

const onlyAdmins =
  'Você não tem permissão para acessar esta página. ' + 'Apenas administradores podem gerenciar permissões.'

function Permissions() {
  const { filter, change, typed, setTyped } = usePageFilter(pageSizes)
  const accounts = useQuery(accountQueries.list())
  const permissions = useQuery(permissionQueries.list())
  const [opened, setOpened] = useState<{ id: number; tab: PermissionsTab }>()
  const [isDutiesOpen, setIsDutiesOpen] = useState(false)
  const found = accounts.data?.filter((account) => isFound(account, filter.search))
  const shown = found && permissions.data && pageOf(found, filter)
  const permissionOf = (id: number) => permissions.data?.find(({ userId }) => userId === id)
  const open = accounts.data?.find(({ id }) => id === opened?.id)
  const ofOpen = open && permissionOf(open.id)
  const failed = [accounts, permissions].find(({ error }) => error)
  return (
    <Page
      title="Permissões"
      subtitle="Quem pode fazer o quê"
      actions={
        <Button icon={ShieldCheck} onClick={() => setIsDutiesOpen(true)}>
          Verificação em duas etapas
        </Button>
      }
    >
      <ListBar
        typed={typed}
        onType={setTyped}
        placeholder="Buscar por nome, usuário ou email..."
        sizes={pageSizes}
        limit={filter.limit}
        onLimit={(limit) => change({ limit })}
      />
      {shown ? (
        shown.total > 0 ? (
          <ul aria-label="Usuários" className="grid grid-cols-1 gap-2">
            {shown.rows.map((account) => (
              <UserCard
                key={account.id}
                account={account}
                permission={permissionOf(account.id)}
                onOpen={(tab) => setOpened({ id: account.id, tab })}
              />
            ))}
          </ul>
        ) : (
          <EmptyState
            icon={UserRoundX}
            title="Nenhum usuário encontrado"
            action={<Button onClick={() => setTyped('')}>Limpar busca</Button>}
          />
        )
      ) : failed ? (
        <ErrorState
          description={failed.error?.message ?? ''}
          isRetrying={accounts.isFetching || permissions.isFetching}
          onRetry={() => {
            void accounts.refetch()
            void permissions.refetch()
          }}
        />
      ) : (
        <CardsSkeleton />
      )}
      {shown && (
        <Pager
          className="mt-3 flex-none"
          isWorded
          page={shown.page}
          totalPages={shown.totalPages}
          text={`Página ${shown.page} de ${shown.totalPages} (${shown.total} usuários no total)`}
          onPage={(page) => change({ page })}
        />
      )}
      {isDutiesOpen && <DutiesDialog onClose={() => setIsDutiesOpen(false)} />}
      {opened && open && ofOpen && (
        <PermissionsDialog
          account={open}
          permission={ofOpen}
          tab={opened.tab}
          onTab={(tab) => setOpened({ id: open.id, tab })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Page>
  )
}

function UserCard({
  account: { name, username, email, role, pictureUrl },
  permission,
  onOpen,
}: {
  account: Account
  permission: UserPermission | undefined
  onOpen: (tab: PermissionsTab) => void
}) {
  return (
    <li
      className={[
        'relative flex flex-wrap items-center gap-x-3 gap-y-2',
        'rounded-card border border-line bg-surface px-4 py-3 hover:border-line-strong hover:bg-hover',
      ].join(' ')}
    >
      <Avatar name={name} src={pictureUrl} />
      <div className="min-w-0 flex-1">
        <button
          type="button"
          aria-label={`Configurar ${name}`}
          title={name}
          dir="auto"
          className={cardButtonLook}
          onClick={() => onOpen('permissoes')}
        >
          {name}
        </button>
        <p className="truncate text-xs text-ink-3">
          @{username} · {email}
        </p>
      </div>
      <span className="flex flex-wrap items-center gap-1.5 max-md:order-last max-md:w-full max-md:pl-12">
        <RoleBadge role={role} />
        <ReachBadges permission={permission} />
        <KindBadge permission={role === 'admin' ? undefined : permission} />
      </span>
      {/* Above the card, all of which opens the permissions. */}
      <Button
        icon={Eye}
        aria-label={`Ver como ${name}`}
        className="relative max-md:w-11 max-md:px-0 max-md:[&>svg]:ml-0"
        onClick={() => onOpen('ver-como')}
      >
        <span className="max-md:sr-only">Ver como</span>
      </Button>
      <span aria-hidden className="-mr-1 flex items-center gap-1 text-sm font-medium text-ink-2">
        <span className="max-md:hidden">Configurar</span>
        <ChevronRight size={16} className="text-ink-3" />
      </span>
    </li>
  )
}

/** The card is the button: pressed anywhere, it opens the person's permissions, and the ring is around it. */
const cardButtonLook = [
  'block w-full truncate text-left text-sm font-medium outline-none max-md:-my-3',
  'after:absolute after:inset-0 after:rounded-card',
  'focus-visible:after:outline-2 after:outline-offset-2 after:outline-focus',
].join(' ')

/** Of what the person knows less than is usual. */
function ReachBadges({ permission }: { permission: UserPermission | undefined }) {
  if (!permission) return null
  const { scope, hidesPhones } = permission
  return (
    <>
      {scope !== 'all' && (
        <Badge>
          <span className="sr-only">Conversas que vê: </span>
          {scopeLabels[scope]}
        </Badge>
      )}
      {hidesPhones && <Badge>telefones ocultos</Badge>}
    </>
  )
}

/** Whether the person has a record, or the defaults of the role. */
function KindBadge({ permission }: { permission: UserPermission | undefined }) {
  return permission?.createdAt ? (
    <Badge tone="accent">Personalizado</Badge>
  ) : (
    <Badge tone="plain">Padrão</Badge>
  )
}

function CardsSkeleton() {
  return (
    <div role="status" aria-busy aria-label="Carregando permissões" className="grid gap-2">
      {Array.from({ length: 6 }, (_, at) => (
        <div
          key={at}
          className="flex h-[62px] items-center gap-3 rounded-card border border-line bg-surface px-4"
        >
          <Skeleton isRound />
          <Skeleton className="w-56" />
        </div>
      ))}
    </div>
  )
}
