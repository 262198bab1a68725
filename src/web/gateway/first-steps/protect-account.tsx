import { Check, ShieldCheck } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '#web/ui/buttons/button.tsx'
import { useMe } from '#web/users/users.tsx'

/**
 * The second factor, which administrators need in the end: offered beside the steps and not one of them,
 * since it is a matter of each person and nothing waits for it.
 */
export function ProtectAccount() {
  const { hasSecondFactor } = useMe()
  return (
    <section
      aria-label="Proteja sua conta"
      className={[
        'mt-4 grid grid-cols-[24px_minmax(0,1fr)] items-center gap-x-3.5 gap-y-3',
        'rounded-card border border-line bg-surface px-4 py-3.5 md:grid-cols-[24px_minmax(0,1fr)_auto]',
      ].join(' ')}
    >
      <span
        className={[
          'grid size-6 place-items-center rounded-full',
          hasSecondFactor ? 'bg-green-soft text-green-text' : 'bg-sunken text-ink-2',
        ].join(' ')}
      >
        {hasSecondFactor ? (
          <>
            <Check size={14} aria-hidden />
            <span className="sr-only">Pronto:</span>
          </>
        ) : (
          <ShieldCheck size={14} aria-hidden />
        )}
      </span>
      <div className="min-w-0">
        <h2 className="text-base font-semibold">Proteja sua conta</h2>
        <p className="text-sm text-ink-2">
          {hasSecondFactor
            ? 'Sua conta pede um código do celular além da senha.'
            : 'Sete dias depois da instalação, administradores só entram com um código do celular além da ' +
              'senha. Ative agora, em dois minutos.'}
        </p>
      </div>
      {!hasSecondFactor && (
        <div className="max-md:col-start-2">
          <Button asChild>
            <Link href="/perfil">Ativar no perfil</Link>
          </Button>
        </div>
      )}
    </section>
  )
}
