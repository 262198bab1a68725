import { useQuery } from '@tanstack/react-query'
import { RadioGroup } from 'radix-ui'
import { type Scope, scopeLabels, scopes } from '#shared/users/scope.ts'
import type { UserScope } from '#shared/users/user-scope.ts'
import { reasonOf } from '#web/platform/api/api.ts'
import { cn } from '#web/ui/cn.ts'
import { toast } from '#web/ui/states/toast.ts'
import { scopeQuery, useSaveScope } from './queries.ts'

const choiceLook = [
  'grid content-start gap-0.5 rounded-card border px-3 py-2.5 text-left hover:bg-hover',
  'disabled:text-ink-3',
].join(' ')

const barred = 'Supervisores e responsáveis veem pelo menos as conversas dos seus setores.'

/** Of which conversations a person knows; only where there are sectors. Each choice holds at once. */
export function ScopeChoice({ userId, name }: { userId: number; name: string }) {
  const { data } = useQuery(scopeQuery(userId))
  const { mutate, isPending } = useSaveScope(userId)
  if (!data?.areSectors) return null
  const { open, scope } = data
  const first = name.split(' ')[0] ?? name
  const seen = open[scope]
  const cards = scope === 'own' && open.cards > 0 ? `, e ${open.cards} na fila` : ''
  return (
    <div className="grid gap-2">
      <p className="text-sm" aria-live="polite">
        <b className="font-semibold">Conversas que vê</b>{' '}
        <span className="text-ink-2 tabular-nums">
          Vê <b className="font-semibold text-ink">{seen}</b> de {open.total} conversas abertas{cards}
        </span>
      </p>
      <RadioGroup.Root
        aria-label="Conversas que vê"
        value={scope}
        disabled={isPending}
        onValueChange={(wanted) =>
          mutate(wanted as Scope, {
            onSuccess: () =>
              toast({
                tone: 'success',
                title: 'Sucesso',
                description: `${first} vê: ${scopeLabels[wanted as Scope]}`,
              }),
            onError: (error) =>
              toast({ tone: 'error', title: 'O alcance não mudou', description: reasonOf(error) }),
          })
        }
        className="grid gap-2.5 md:grid-cols-3"
      >
        {scopes.map((value) => {
          const isBarred = !data.offered.includes(value)
          return (
            <RadioGroup.Item
              key={value}
              value={value}
              disabled={isBarred}
              title={isBarred ? barred : undefined}
              className={cn(choiceLook, value === scope ? 'border-accent bg-selected' : 'border-line-strong')}
            >
              <span className="text-sm font-semibold">{scopeLabels[value]}</span>
              <span className="text-xs text-ink-2">{purposeOf(value, data)}</span>
              <span className="text-xs tabular-nums">
                vê {open[value]} de {open.total}
              </span>
            </RadioGroup.Item>
          )
        })}
      </RadioGroup.Root>
    </div>
  )
}

function purposeOf(scope: Scope, { sectors }: UserScope): string {
  const names = new Intl.ListFormat('pt-BR').format(sectors.map(({ name }) => name))
  switch (scope) {
    case 'own':
      return (
        'As próprias, e as que já teve ou em que escreveu. Na fila vê nome, espera e setor; ' +
        'as mensagens só depois de assumir.'
      )
    case 'sector':
      return names === ''
        ? 'Não está em nenhum setor: vê só as próprias.'
        : `As de ${names}, e as próprias. Finalizadas: o mesmo.`
    case 'all':
      return 'Todas dos seus números. Como era até hoje.'
  }
}
