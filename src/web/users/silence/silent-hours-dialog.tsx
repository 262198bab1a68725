import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type SilentHours, silentHours } from '#shared/settings/silent-hours.ts'
import { setSilentHours } from '#shared/users/profile.ts'
import { call } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useMe } from '#web/users/me-context.ts'
import { userQueries } from '#web/users/queries.ts'
import { type SilentHoursErrors, SilentHoursFields } from './silent-hours-fields.tsx'

/** What somebody's own silent hours begin with. */
const first: SilentHours = {
  mode: 'hours',
  start: '22:00',
  end: '07:00',
  days: [0, 1, 2, 3, 4, 5, 6],
  daysOff: [],
  mentions: false,
}

/** The silent hours of the person: those of the team, or their own. */
export function SilentHoursDialog({ onClose }: { onClose: () => void }) {
  const stored = useMe().silentHours
  const [isOwn, setIsOwn] = useState(stored !== null)
  const [value, setValue] = useState(stored ?? first)
  const [errors, setErrors] = useState<SilentHoursErrors>({})
  const save = useSave(onClose)
  const submit = () => {
    const read = silentHours.safeParse(value)
    if (!isOwn || read.success) return save.mutate(isOwn ? value : null)
    setErrors(Object.fromEntries(read.error.issues.map(({ path, message }) => [path[0], message])))
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Horário silencioso"
      description="Sem sons e sem notificações na área de trabalho; o sino e os contadores seguem contando."
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="primary" isBusy={save.isPending} busyLabel="Salvando..." onClick={submit}>
            Salvar
          </Button>
        </>
      }
    >
      <Segmented
        label="De quem"
        value={isOwn ? 'own' : 'team'}
        options={[
          { value: 'team', label: 'Usar o padrão da equipe' },
          { value: 'own', label: 'Meu horário' },
        ]}
        onChange={(next) => setIsOwn(next === 'own')}
        className="justify-self-start"
      />
      {isOwn && (
        <SilentHoursFields
          value={value}
          errors={errors}
          onChange={(next) => {
            setErrors({})
            setValue(next)
          }}
        />
      )}
    </Dialog>
  )
}

function useSave(onSaved: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (own: SilentHours | null) => call(setSilentHours, { body: { silentHours: own } }),
    onSuccess: ({ user }) => {
      client.setQueryData(userQueries.me().queryKey, user)
      toast({ tone: 'success', title: 'Horário silencioso salvo' })
      onSaved()
    },
    onError: ({ message }) =>
      toast({ tone: 'error', title: 'Não foi possível salvar o horário silencioso', description: message }),
  })
}
