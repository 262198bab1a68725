import { useMutation } from '@tanstack/react-query'
import { showPhone } from '#shared/contacts/shown-phone.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { hiddenNumber } from '#shared/text/text.ts'
import { call, reasonOf } from '#web/platform/api/api.ts'
import { toast } from '#web/ui/states/toast.ts'

/**
 * A contact's number that is hidden, and 'Mostrar', which shows it here and until this is closed: it is kept
 * nowhere else. Each time is recorded.
 */
export function PhoneShown({
  contactId,
  phone,
}: {
  contactId: number
  /** As it is seen; absent where that stands beside it. */
  phone?: string
}) {
  const { data, mutate, isPending } = useMutation({
    mutationFn: () => call(showPhone, { params: { id: contactId } }),
    gcTime: 0,
    onError: (error) =>
      toast({ tone: 'error', title: 'O telefone continua oculto', description: reasonOf(error) }),
  })
  if (data)
    return (
      <span aria-live="polite" className="tabular-nums">
        {data.number === null ? hiddenNumber : formatPhone(data.number)}
      </span>
    )
  return (
    <span className="inline-flex items-center gap-2">
      {phone !== undefined && <span className="tabular-nums">{formatPhone(phone)}</span>}
      <button
        type="button"
        disabled={isPending}
        title="Mostra o telefone aqui; fica registrado na auditoria"
        className={[
          '-my-1 min-h-7 rounded-[6px] px-1.5 text-xs font-medium text-accent-text hover:bg-hover',
          'max-md:min-h-11',
        ].join(' ')}
        onClick={() => mutate()}
      >
        Mostrar
      </button>
    </span>
  )
}
