import { Mark } from '#web/ui/badges/mark.tsx'
import { LoginForm, type LoginReply } from './login-form.tsx'

/** @see specification §2 Login */
export function LoginScreen({
  username = '',
  onEntered,
}: {
  /** The previous user. */
  username?: string
  /** The form is busy until the promise settles. */
  onEntered: (reply: LoginReply) => Promise<void>
}) {
  return (
    <main className="login-ground relative isolate grid min-h-full justify-items-center bg-canvas">
      <div className="relative row-start-2 w-full max-w-[400px] px-5 md:w-[360px] md:px-0">
        <div className="mb-5 grid justify-items-start gap-[3px]">
          <Mark className="mb-3 size-10" />
          <h1 className="text-2xl font-semibold tracking-figure">Balcão</h1>
          <p className="text-ink-2">Sistema de Atendimento - Faça login para continuar</p>
        </div>
        <LoginForm username={username} onEntered={onEntered} />
      </div>
    </main>
  )
}
