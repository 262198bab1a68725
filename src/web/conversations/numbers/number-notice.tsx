import { TriangleAlert } from 'lucide-react'
import { useNumbers } from '#web/numbers/numbers.tsx'

const away = 'sem conexão com o WhatsApp: o que você escrever espera, e sai quando ele voltar.'
const off = 'desativado: o que você escrever espera até um administrador ativá-lo.'

/** Above the composer: that nothing leaves by the number of the chat now, where there are several. */
export function NumberNotice({ instanceId }: { instanceId: number }) {
  const { living, find } = useNumbers()
  const number = find(instanceId)
  if (living.length < 2 || !number || (number.isActive && number.isConnected)) return null
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
