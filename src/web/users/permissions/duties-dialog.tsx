import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Role, roles } from '#shared/permissions.ts'
import { roleLabels } from '#shared/text/text.ts'
import { isDeclined } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { profileQueries, useSaveDuties } from '#web/users/profile/queries.ts'

/** Which roles must have a second factor. */
export function DutiesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(profileQueries.duties())
  const [chosen, setChosen] = useState<readonly Role[]>()
  const save = useSaveDuties()
  const now = chosen ?? data?.roles ?? []
  const submit = () =>
    save.mutate([...now], {
      onSuccess: () => {
        toast({ tone: 'success', title: 'Verificação em duas etapas atualizada' })
        onClose()
      },
      onError: (failure) => {
        if (isDeclined(failure)) return
        toast({ tone: 'error', title: 'Erro', description: failure.message })
      },
    })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Verificação em duas etapas"
      description="Estes perfis precisam de um código do celular além da senha, a partir do próximo login."
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button
            variant="primary"
            disabled={!chosen}
            isBusy={save.isPending}
            busyLabel="Salvando..."
            onClick={submit}
          >
            Salvar
          </Button>
        </>
      }
    >
      {data ? (
        <ul className="grid gap-3">
          {roles.map((role) => (
            <li key={role} className="flex items-center gap-2 text-sm">
              <Switch
                id={`duty-${role}`}
                checked={now.includes(role)}
                onCheckedChange={(isOn) =>
                  setChosen(isOn ? [...now, role] : now.filter((other) => other !== role))
                }
              />
              <label htmlFor={`duty-${role}`}>{roleLabels[role]}</label>
            </li>
          ))}
        </ul>
      ) : error ? (
        <ErrorState description={error.message} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Spinner size={20} label="Carregando" className="text-ink-3" />
      )}
    </Dialog>
  )
}
