import { TriangleAlert } from 'lucide-react'
import { useNumbers } from '#web/numbers/numbers.tsx'

const away = 'sem conexão com o WhatsApp: o que você escrever espera, e sai quando ele voltar.'
const off = 'desativado: um administrador precisa ativá-lo para que se possa responder.'

/** Above the composer: that the number of the chat is off, or, where there are several, away. */
export function NumberNotice({ instanceId }: { instanceId: number }) {
  const { living, find } = useNumbers()
  const number = find(instanceId)
  if (!number || (number.isActive && (number.isConnected || living.length < 2))) return null
  return (
    <p
      role="status"
      className={[
        'flex flex-none items-start gap-2 border-t border-amber-line bg-amber-soft px-4 py-2',
        'text-sm text-amber-text',
      ].join(' ')}
    >
      <TriangleAlert size={16} aria-hidden className="mt-px flex-none" />
      <span className="min-w-0 wrap-anywhere">
        O número {number.name} está {number.isActive ? away : off}
      </span>
    </p>
  )
}
