import { useQuery } from '@tanstack/react-query'
import type { Account } from '#shared/users/accounts.ts'
import { isDeclined } from '#web/platform/api/api.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { profileQueries, useAccountSecurity } from '#web/users/profile/queries.ts'
import { SessionList } from '#web/users/profile/session-list.tsx'
import { accountQueries } from './queries.ts'

/** The sessions and the second factor of somebody else. */
export function AccountSecurity({ account: { id, name } }: { account: Account }) {
  const accounts = useQuery(accountQueries.list())
  // As it is now, not as it was when the dialog was opened.
  const hasSecondFactor = accounts.data?.find((one) => one.id === id)?.hasSecondFactor
  const { data } = useQuery(profileQueries.sessionsOf(id))
  const { end, reset } = useAccountSecurity(id)
  const withToasts = (title: string) => ({
    onSuccess: () => toast({ tone: 'success', title }),
    onError: (error: Error) => {
      if (!isDeclined(error)) toast({ tone: 'error', title: 'Erro', description: error.message })
    },
  })
  return (
    <section aria-label="Acesso" className="grid gap-3 border-t border-line pt-3.5">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="flex-1 font-medium">Verificação em duas etapas</span>
        {hasSecondFactor ? (
          <>
            <Badge tone="green">Ativa</Badge>
            <Button
              size="sm"
              aria-label={`Redefinir a verificação de ${name}`}
              isBusy={reset.isPending}
              onClick={() => reset.mutate(undefined, withToasts('Verificação em duas etapas desativada'))}
            >
              Redefinir
            </Button>
          </>
        ) : (
          <Badge>Desativada</Badge>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="flex-1 font-medium">Sessões abertas</span>
        {data && data.length > 0 && (
          <Button
            size="sm"
            aria-label={`Encerrar todas as sessões de ${name}`}
            isBusy={end.isPending}
            onClick={() => end.mutate(undefined, withToasts('Sessões encerradas'))}
          >
            Encerrar todas
          </Button>
        )}
      </div>
      {data &&
        (data.length > 0 ? (
          <SessionList sessions={data} />
        ) : (
          <p className="text-sm text-ink-3">Nenhuma sessão aberta</p>
        ))}
    </section>
  )
}
