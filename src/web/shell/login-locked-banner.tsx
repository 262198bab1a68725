import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '#web/ui/states/banner.tsx'
import { useMe } from '#web/users/users.tsx'

/**
 * Notifies a person at work that somebody guessed at their password. Read once, it stays away until a reload.
 */
export function LoginLockedBanner() {
  const { isLoginLocked, role } = useMe()
  const [isRead, setIsRead] = useState(false)
  if (!isLoginLocked || isRead) return null
  const until = role === 'admin' ? 'por alguns minutos' : 'até um administrador desbloquear'
  return (
    <Banner icon={<KeyRound size={12} aria-hidden className="shrink-0" />}>
      <p>
        Alguém errou sua senha três vezes. Você continua conectado; novos logins são recusados {until}.{' '}
        <button
          type="button"
          className="ml-1 inline-flex min-h-6 items-center underline underline-offset-2"
          onClick={() => setIsRead(true)}
        >
          Entendi
        </button>
      </p>
    </Banner>
  )
}
