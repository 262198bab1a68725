import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { isDeclined } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { profileQueries, useEndSession } from './queries.ts'
import { SessionList } from './session-list.tsx'

/** 'Sessões': where the account is open, ended one by one or all others. */
export function SessionsSection() {
  const { data, error, refetch, isFetching } = useQuery(profileQueries.sessions())
  const { mutate, isPending, variables } = useEndSession()
  const end = (id: number | undefined) =>
    mutate(id, {
      onSuccess: () =>
        toast({
          tone: 'success',
          title: id === undefined ? 'Outras sessões encerradas' : 'Sessão encerrada',
        }),
      onError: (error) => {
        if (!isDeclined(error)) toast({ tone: 'error', title: 'Erro', description: error.message })
      },
    })
  return (
    <SettingsSection
      isLast
      title="Sessões"
      description="Onde sua conta está aberta. Não reconhece uma? Encerre e troque a senha."
    >
      {data ? (
        <SessionList
          sessions={data}
          action={({ id, isCurrent, device }) =>
            !isCurrent && (
              <Button
                variant="ghost"
                size="sm"
                aria-label={`Encerrar ${device}`}
                isBusy={isPending && variables === id}
                onClick={() => end(id)}
              >
                Encerrar
              </Button>
            )
          }
        />
      ) : error ? (
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <p className="text-sm text-ink-3">Carregando...</p>
      )}
      {data && data.length > 1 && (
        <Button
          icon={LogOut}
          variant="danger"
          isBusy={isPending && variables === undefined}
          onClick={() => end(undefined)}
        >
          Encerrar todas as outras
        </Button>
      )}
    </SettingsSection>
  )
}
