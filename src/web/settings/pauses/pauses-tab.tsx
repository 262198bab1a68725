import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Coffee, GripVertical, Pencil, Plus, Trash2 } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { pauseLimits, type PauseReason } from '#shared/workday/pauses.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { PauseIcon } from '#web/ui/badges/pause-icon.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Switch } from '#web/ui/fields/switch.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { useOrder } from '#web/ui/use-order.ts'
import { pauseQuery } from '#web/users/users.tsx'
import { useDeleteReason, useOrderReasons, useSuggestReasons, useSwitchReason } from './mutations.ts'
import { PauseForm } from './pause-form.tsx'

/** The reasons for which people pause, in the order of their menu, with a form beside the list. */
export function PausesTab() {
  const { data, error, isFetching, refetch } = useQuery(pauseQuery)
  const [edited, setEdited] = useState<number | 'new'>()
  if (!data)
    return error ? (
      <ErrorState
        description="Não foi possível carregar os motivos de pausa."
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <div role="status" aria-busy aria-label="Carregando" className="pt-4">
        <Skeleton className="h-72 w-full" />
      </div>
    )
  const reason = data.find(({ id }) => id === edited)
  const isOpen = edited === 'new' || reason !== undefined
  return (
    <div className="grid items-start gap-4 pt-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,390px)]">
      <Card
        title="Pausas"
        note={data.length > 0 && <span className="tabular-nums">{data.length}</span>}
        actions={
          data.length > 0 && (
            <Button
              icon={Plus}
              disabled={data.length >= pauseLimits.reasons}
              onClick={() => setEdited('new')}
            >
              Nova pausa
            </Button>
          )
        }
        className={cn('overflow-hidden', !isOpen && 'lg:col-span-2')}
      >
        {data.length === 0 ? (
          <NoReasons onCreate={() => setEdited('new')} />
        ) : (
          <Reasons reasons={data} editedId={reason?.id} onEdit={setEdited} />
        )}
      </Card>
      {isOpen && (
        // Above the list on small screens, where it would not be seen below it.
        <div className="max-lg:order-first">
          <PauseForm key={edited} reason={reason} onClose={() => setEdited(undefined)} />
        </div>
      )}
    </div>
  )
}

function NoReasons({ onCreate }: { onCreate: () => void }) {
  const { mutate, isPending } = useSuggestReasons()
  return (
    <EmptyState
      icon={Coffee}
      title="Nenhuma pausa criada ainda"
      description={
        'Com pausas, cada pessoa diz por que não recebe conversas: o tempo aparece para a equipe e na ' +
        'Jornada. As mais comuns: Almoço, Banheiro, Lanche, Reunião e Treinamento.'
      }
      action={
        <span className="flex flex-wrap justify-center gap-2">
          <Button onClick={onCreate}>Nova pausa</Button>
          <Button variant="primary" isBusy={isPending} busyLabel="Criando..." onClick={() => mutate()}>
            Começar com as mais comuns
          </Button>
        </span>
      }
    />
  )
}

function Reasons({
  reasons,
  editedId,
  onEdit,
}: {
  reasons: readonly PauseReason[]
  editedId: number | undefined
  onEdit: (id: number) => void
}) {
  const { shown, rowProps, isDragged, move, said } = useOrder(reasons, useOrderReasons())
  return (
    <>
      <ul aria-label="Pausas">
        {shown.map((id, index) => {
          const reason = reasons.find((one) => one.id === id)
          return (
            reason && (
              <li
                key={id}
                {...rowProps(id, index)}
                className={cn(
                  'group relative flex min-h-14 items-center gap-3 border-t border-line py-2 pr-2 pl-2',
                  'first:border-t-0',
                  id === editedId && 'bg-selected',
                  isDragged(id) && 'opacity-60',
                )}
              >
                <ReasonRow
                  reason={reason}
                  onEdit={() => onEdit(id)}
                  onMove={(step: -1 | 1) => move(id, step)}
                />
              </li>
            )
          )
        })}
      </ul>
      <p className="border-t border-line bg-sunken px-3.5 py-2 text-xs text-ink-2">
        A ordem é a do menu de presença<span className="max-md:hidden">: arraste para mudar</span>.
      </p>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

function ReasonRow({
  reason,
  onEdit,
  onMove,
}: {
  reason: PauseReason
  onEdit: () => void
  onMove: (step: -1 | 1) => void
}) {
  const { id, name, icon, color, isActive, isUsed } = reason
  const remove = useDeleteReason()
  const { mutate: setActive } = useSwitchReason()
  const facts = factsOf(reason)
  return (
    <>
      <Menu
        align="start"
        trigger={<IconButton icon={GripVertical} size="sm" label={`Mudar a ordem: ${name}`} />}
      >
        <MenuItem icon={ArrowUp} onSelect={() => onMove(-1)}>
          Mover para cima
        </MenuItem>
        <MenuItem icon={ArrowDown} onSelect={() => onMove(1)}>
          Mover para baixo
        </MenuItem>
      </Menu>
      <span
        className={cn(
          'grid size-8 flex-none place-items-center rounded-control border border-line',
          isActive ? 'text-ink' : 'text-ink-3',
        )}
      >
        <PauseIcon icon={icon} />
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="flex min-w-0 items-center gap-1.5">
          <i
            aria-hidden
            style={{ '--cat': color } as CSSProperties}
            className="cat-dot size-2 rounded-[2px]"
          />
          <span className="min-w-0 truncate font-medium" title={name} dir="auto">
            {name}
          </span>
          {!isActive && <Badge>Inativa</Badge>}
        </h3>
        <p className="truncate text-sm text-ink-2">{facts.join(' · ')}</p>
      </div>
      <Switch
        aria-label={`Oferecer ${name}`}
        checked={isActive}
        onCheckedChange={(next) => setActive({ id, isActive: next })}
      />
      <span className="flex flex-none">
        <IconButton size="sm" label={`Editar ${name}`} icon={Pencil} onClick={onEdit} />
        <IconButton
          size="sm"
          tone="danger"
          label={isUsed ? `${name} já foi usada: desative-a` : `Excluir ${name}`}
          icon={Trash2}
          disabled={isUsed}
          isBusy={remove.isPending}
          onClick={() => {
            if (window.confirm('Tem certeza que deseja excluir esta pausa?')) remove.mutate(id)
          }}
        />
      </span>
    </>
  )
}

function factsOf({ limitMinutes, countsAsWork }: PauseReason): string[] {
  return [
    limitMinutes === null ? 'sem limite' : `limite de ${limitMinutes} min`,
    ...(countsAsWork ? ['conta como trabalho'] : []),
  ]
}
