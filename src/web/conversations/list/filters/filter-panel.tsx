import { ArrowLeft, Bookmark, ChevronRight } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { isFiltered, type ListFilters } from '#shared/views/list-filters.ts'
import type { SavedView, ViewContent } from '#shared/views/views.ts'
import { reasonOf } from '#web/platform/api/api.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { ChooserOptions } from '#web/ui/fields/chooser-list.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useChangeView, ViewDialog } from '#web/views/views.tsx'
import { PopoverContent } from '#web/ui/overlays/popover-content.tsx'
import type { ListOrder } from '#shared/conversations/list/list-view.ts'
import { type FilterKind, summaryOf, useFilterKinds } from './use-filter-kinds.ts'
import { useOrders } from './use-orders.ts'

const orders = [
  { value: 'start', label: 'Início' },
  { value: 'waiting', label: 'Espera' },
  { value: 'activity', label: 'Atividade' },
  { value: 'return', label: 'Retorno' },
  { value: 'sla', label: 'Prazo' },
] as const satisfies { value: ListOrder; label: string }[]

/** The filters of the list: a row a kind, each applied at once, and the order. */
export function FilterPanel({
  place,
  content,
  count,
  view,
  isChanged,
  onChange,
  onOrder,
  onClear,
  onShow,
  onClose,
}: {
  /** The button that opened it. */
  place: RefObject<HTMLElement | null>
  content: ViewContent
  /** '8 de 18 conversas' */
  count: string
  /** The view that is shown, and whether something else was asked for since. */
  view: SavedView | undefined
  isChanged: boolean
  onChange: (next: ListFilters) => void
  onOrder: (order: ListOrder) => void
  onClear: () => void
  /** Shows a view. */
  onShow: (id: number) => void
  onClose: () => void
}) {
  const { tab, order, ...filters } = content
  const update = useChangeView()
  const [isSaving, setSaving] = useState(false)
  const canSave = view ? isChanged : isFiltered(filters)
  const store = ({ id, version }: SavedView) =>
    update.mutate(
      { id, version, content },
      {
        onSuccess: () => {
          onShow(id)
          toast({ tone: 'success', title: 'Visão mudada' })
        },
        onError: (error) => toast({ tone: 'error', title: `A visão não foi salva: ${reasonOf(error)}` }),
      },
    )
  const offeredOrders = useOrders(orders, tab, order)
  const kinds = useFilterKinds(filters)
  const [openKind, setOpenKind] = useState<FilterKind['kind']>()
  const open = kinds.find(({ kind }) => kind === openKind)
  if (isSaving)
    return (
      <ViewDialog
        view={undefined}
        content={content}
        summary={summaryOf(kinds)}
        onSaved={onShow}
        onClose={onClose}
      />
    )
  return (
    <PopoverContent
      place={place}
      isToggle
      label="Filtrar"
      align="start"
      className={cn(
        'grid w-[min(300px,calc(100vw-16px))]',
        'max-h-(--radix-popover-content-available-height) overflow-y-auto thin-scroll',
      )}
      onClose={onClose}
    >
      {open ? (
        <KindOptions
          key={open.kind}
          kind={open}
          onBack={() => setOpenKind(undefined)}
          onChoose={(value) => {
            onChange(open.toFilter(value))
            setOpenKind(undefined)
          }}
        />
      ) : (
        <>
          <p className="flex items-center justify-between px-3 pt-2.5 pb-1.5 text-xs text-ink-2">
            Filtrar
            <span aria-live="polite" className="tabular-nums">
              {count}
            </span>
          </p>
          <ul aria-label="Filtros" className="px-1">
            {kinds.map((kind) => (
              <li key={kind.kind}>
                <KindRow kind={kind} onOpen={() => setOpenKind(kind.kind)} onChange={onChange} />
              </li>
            ))}
          </ul>
          <div className="mt-1 grid gap-1.5 border-t border-line px-3 py-2">
            <span className="text-xs text-ink-2">Ordenar por</span>
            <Segmented
              label="Ordenar por"
              size="sm"
              value={order}
              options={offeredOrders}
              onChange={onOrder}
              className="w-full [&>button]:flex-1"
            />
          </div>
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-2">
            <Button variant="ghost" size="sm" disabled={!isFiltered(filters)} onClick={onClear}>
              Limpar
            </Button>
            {view?.isChangeable && isChanged && (
              <Button size="sm" onClick={() => store(view)}>
                Salvar alterações
              </Button>
            )}
            {canSave && (
              <Button size="sm" icon={Bookmark} onClick={() => setSaving(true)}>
                Salvar esta visão
              </Button>
            )}
          </div>
        </>
      )}
    </PopoverContent>
  )
}

function KindRow({
  kind: { kind, title, icon: Icon, shown, isGone, options, toFilter },
  onOpen,
  onChange,
}: {
  kind: FilterKind
  onOpen: () => void
  onChange: (next: ListFilters) => void
}) {
  // With a single choice there is nothing to open.
  const isSwitch = kind === 'unread'
  const [only] = options
  return (
    <button
      type="button"
      onClick={isSwitch ? () => onChange(toFilter(shown === undefined ? only?.value : undefined)) : onOpen}
      {...(isSwitch && { 'aria-pressed': shown !== undefined })}
      className={[
        'flex h-8 w-full items-center gap-2.5 rounded-[7px] px-2 text-left hover:bg-hover',
        '-outline-offset-2 max-md:h-11',
      ].join(' ')}
    >
      <Icon aria-hidden size={15} className="flex-none text-ink-2" />
      <span className="flex-none">{title}</span>
      <span
        title={shown}
        dir="auto"
        className={cn(
          'ml-auto min-w-0 truncate',
          shown === undefined ? 'text-ink-3' : isGone ? 'text-amber-text' : 'font-medium text-accent-text',
        )}
      >
        {isSwitch ? (shown === undefined ? 'não' : 'sim') : (shown ?? 'Qualquer')}
      </span>
      <ChevronRight aria-hidden size={14} className={cn('flex-none text-ink-3', isSwitch && 'invisible')} />
    </button>
  )
}

function KindOptions({
  kind: { title, options, value, anything },
  onBack,
  onChoose,
}: {
  kind: FilterKind
  onBack: () => void
  onChoose: (value: string | undefined) => void
}) {
  const none = '*'
  return (
    <>
      <p className="flex items-center gap-1 px-1 pt-1 font-medium">
        <IconButton label="Voltar aos filtros" icon={ArrowLeft} size="sm" onClick={onBack} />
        {title}
      </p>
      <ChooserOptions
        label={title}
        value={value ?? none}
        options={[{ value: none, label: anything }, ...options]}
        searchPlaceholder="Buscar..."
        nothingFound="Nada corresponde à busca"
        onChoose={(chosen) => onChoose(chosen === none ? undefined : chosen)}
      />
    </>
  )
}
