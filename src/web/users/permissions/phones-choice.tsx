import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { reasonOf } from '#web/platform/api/api.ts'
import { Switch } from '#web/ui/fields/switch.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { phonesQuery, useSavePhones } from './queries.ts'

/** Whether clients' telephone numbers are hidden from a person. Each change holds at once. */
export function PhonesChoice({ userId, name }: { userId: number; name: string }) {
  const { data } = useQuery(phonesQuery(userId))
  const { mutate, isPending } = useSavePhones(userId)
  if (!data) return null
  const { hidesPhones, revealsPhones } = data
  const first = name.split(' ')[0] ?? name
  const save = (wanted: { hidesPhones: boolean; revealsPhones: boolean }, done: string) =>
    mutate(wanted, {
      onSuccess: () => toast({ tone: 'success', title: 'Sucesso', description: done }),
      onError: (error) =>
        toast({ tone: 'error', title: 'Os telefones continuam como estavam', description: reasonOf(error) }),
    })
  return (
    <div className="grid gap-1 rounded-card border border-line px-3 py-1.5">
      <Row
        label="Ocultar telefones"
        purpose={`${first} vê (11) •••• -7777 em listas, chat, buscas e exportações.`}
        isOn={hidesPhones}
        isBusy={isPending}
        onChange={(value) =>
          save(
            { hidesPhones: value, revealsPhones: false },
            value
              ? `${first} não vê mais os telefones dos clientes`
              : `${first} vê os telefones dos clientes`,
          )
        }
      />
      {hidesPhones && (
        <Row
          label="Pode mostrar um telefone"
          purpose="Com o botão ‘Mostrar’, um de cada vez, com registro na auditoria."
          isOn={revealsPhones}
          isBusy={isPending}
          onChange={(value) =>
            save(
              { hidesPhones: true, revealsPhones: value },
              value ? `${first} pode mostrar um telefone` : `${first} não pode mostrar telefones`,
            )
          }
        />
      )}
    </div>
  )
}

function Row(props: {
  label: string
  purpose: string
  isOn: boolean
  isBusy: boolean
  onChange: (value: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex items-center gap-3 py-1">
      <label htmlFor={id} className="min-w-0 flex-1 text-sm">
        <span className="font-medium">{props.label}</span>
        <span className="block text-xs text-ink-2">{props.purpose}</span>
      </label>
      <Switch id={id} checked={props.isOn} disabled={props.isBusy} onCheckedChange={props.onChange} />
    </div>
  )
}
