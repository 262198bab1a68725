import { CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useVerifyWebhook } from './queries.ts'

const looks = {
  heard: { icon: CircleCheck, look: 'text-green-text' },
  later: { icon: Clock, look: 'text-ink-2' },
  unheard: { icon: TriangleAlert, look: 'text-amber-text' },
}

/** Registers our webhook with a new secret, and reports whether the gateway then reached it. */
export function VerifyWebhook({ id }: { id: number }) {
  const verify = useVerifyWebhook(id)
  const result = verify.data
  const { icon: Icon, look } =
    looks[result?.isHeard ? 'heard' : result?.isHeard === false ? 'unheard' : 'later']
  const run = () =>
    verify.mutate(undefined, {
      onSuccess: ({ isHeard, message }) =>
        isHeard === false
          ? toast({ tone: 'error', title: 'O webhook não nos alcança' })
          : toast({ title: 'Webhook configurado', ...(isHeard === null && { description: message }) }),
      onError: (error) =>
        toast({ tone: 'error', title: 'Erro ao configurar webhook', description: error.message }),
    })
  return (
    <>
      <Button isBusy={verify.isPending} busyLabel="Conferindo..." onClick={run}>
        Configurar e conferir
      </Button>
      {result && (
        <p role="status" className={cn('flex max-w-[480px] gap-2 text-sm', look)}>
          <Icon size={16} aria-hidden className="mt-px flex-none" />
          <span className="min-w-0 wrap-anywhere">{result.message}</span>
        </p>
      )}
    </>
  )
}
