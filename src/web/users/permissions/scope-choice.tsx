import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useState } from 'react'
import { type Scope, scopeLabels, scopes } from '#shared/users/scope.ts'
import type { UserScope } from '#shared/users/user-scope.ts'
import { isDeclined, reasonOf } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { toast } from '#web/ui/states/toast.ts'
import { scopeQuery, useSaveScope } from './queries.ts'

const choiceLook = [
  'grid content-start gap-0.5 rounded-card border px-3 py-2.5 text-left hover:bg-hover',
  'disabled:text-ink-3',
].join(' ')

const barred = 'Supervisores e responsáveis veem pelo menos as conversas dos seus setores.'

/**
 * Of which conversations a person knows; only where there are sectors. Each choice holds at once, one of less
 * after it was said what it takes away.
 */
export function ScopeChoice({ userId, name }: { userId: number; name: string }) {
  const { data } = useQuery(scopeQuery(userId))
  const { mutate, isPending } = useSaveScope(userId)
  const [narrower, setNarrower] = useState<Scope>()
  if (!data?.areSectors) return null
  const { open, scope } = data
  const first = name.split(' ')[0] ?? name
  const seen = open[scope]
  const cards = scope === 'own' && open.cards > 0 ? `, e ${open.cards} na fila` : ''
  const save = (wanted: Scope) =>
    mutate(wanted, {
      onSuccess: () => {
        setNarrower(undefined)
        toast({ tone: 'success', title: 'Sucesso', description: `${first} vê: ${scopeLabels[wanted]}` })
      },
      onError: (error) => {
        if (isDeclined(error)) return
        toast({ tone: 'error', title: 'O alcance não mudou', description: reasonOf(error) })
      },
    })
  const choose = (wanted: Scope) => {
    const isNarrower = scopes.indexOf(wanted) < scopes.indexOf(scope)
    setNarrower(isNarrower ? wanted : undefined)
    if (!isNarrower && wanted !== scope) save(wanted)
  }
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
        value={narrower ?? scope}
        disabled={isPending}
        onValueChange={(wanted) => choose(wanted as Scope)}
        className="grid gap-2.5 md:grid-cols-3"
      >
        {scopes.map((value) => {
          const isBarred = !data.offered.includes(value)
          return (
            <RadioGroup.Item
              key={value}
              value={value}
              disabled={isBarred}
              className={cn(
                choiceLook,
                value === (narrower ?? scope) ? 'border-accent bg-selected' : 'border-line-strong',
              )}
            >
              <span className="text-sm font-semibold">{scopeLabels[value]}</span>
              <span className="text-xs text-ink-2">{isBarred ? barred : purposeOf(value, data)}</span>
              <span className="text-xs tabular-nums">
                vê {open[value]} de {open.total}
              </span>
            </RadioGroup.Item>
          )
        })}
      </RadioGroup.Root>
      {/* There before it says something, so that it is read out. */}
      <div role="status">
        {narrower && (
          <div
            className={[
              'flex flex-wrap items-center gap-2 rounded-card border border-amber-line bg-amber-soft',
              'px-3 py-2 text-sm text-amber-text',
            ].join(' ')}
          >
            <TriangleAlert size={16} aria-hidden className="flex-none" />
            <p className="min-w-60 flex-1">{lossOf(data, narrower, first)}</p>
            <Button size="sm" disabled={isPending} onClick={() => setNarrower(undefined)}>
              Cancelar
            </Button>
            <Button
              size="sm"
              variant="primary"
              isBusy={isPending}
              busyLabel="Salvando..."
              onClick={() => save(narrower)}
            >
              Mudar para {scopeLabels[narrower]}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

/** What a narrower scope takes away now: 'Nenhuma conversa aberta some', or how many do. */
export function lossOf({ scope, open }: Pick<UserScope, 'scope' | 'open'>, narrower: Scope, first: string) {
  // Those of the queues stay in the list, without their messages.
  const cards = narrower === 'own' ? open.cards : 0
  const lost = open[scope] - open[narrower] - cards
  const kept =
    cards === 0
      ? ''
      : ` ${cards === 1 ? '1 da fila mostra' : `${cards} da fila mostram`} só nome, espera e setor.`
  const from = `da lista de ${first} agora`
  if (lost <= 0) return `Nenhuma conversa aberta some ${from}.${kept}`
  const what = lost === 1 ? '1 conversa aberta some' : `${lost} conversas abertas somem`
  return `${what} ${from}; menções e avisos ${lost === 1 ? 'dela' : 'delas'} também.${kept}`
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
