import { ChevronDown } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ListMoment } from '#shared/views/meets.ts'
import type { SavedView } from '#shared/views/views.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { onDemand } from '#web/ui/on-demand.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useMe } from '#web/users/users.tsx'
import { ViewDialog, viewQueries } from '#web/views/views.tsx'
import { countView } from '#web/conversations/list/filters/count-view.ts'
import { TabButton } from './tab-button.tsx'
import type { useListFilter } from './use-list-filter.ts'

const ViewMenu = onDemand(
  async () => (await import('#web/conversations/list/filters/view-menu.tsx')).ViewMenu,
)

const wide = '(min-width: 90rem)'
/** So many stand in the strip where there is room, beside the one that is shown. */
const mostPinned = 2

/** It stays in sight where the tabs scroll. */
const menuLook = 'sticky right-0 ml-auto inline-flex flex-none bg-surface pl-1 max-lg:bg-canvas'

/** The saved views behind the tabs: as many as fit, always the one that is shown, the others in a menu. */
export function ViewTabs({
  list: { viewId, view: shown, isChanged, change, showView },
  rows,
  moment,
}: {
  list: Pick<ReturnType<typeof useListFilter>, 'viewId' | 'view' | 'isChanged' | 'change' | 'showView'>
  /** All open conversations. */
  rows: readonly Conversation[]
  moment: ListMoment
}) {
  const { id: userId } = useMe()
  const { data: views = [], isSuccess, isFetching } = useQuery(viewQueries.seen())
  const isWide = useMediaQuery(wide)
  const place = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [edited, setEdited] = useState<SavedView>()
  const layout = `${isWide} ${shown?.id} ${views.map(({ id, name }) => `${id}${name}`).join()}`
  const [fitting, setFitting] = useState({ layout, count: mostPinned })
  const pinned = isWide ? (fitting.layout === layout ? fitting.count : mostPinned) : 0
  useLayoutEffect(() => {
    const strip = place.current?.parentElement
    if (strip && pinned > 0 && strip.scrollWidth > strip.clientWidth)
      setFitting({ layout, count: pinned - 1 })
  }, [layout, pinned])
  useEffect(() => {
    // The one that is shown is always in sight.
    const strip = place.current?.parentElement
    strip?.querySelector('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [shown?.id])
  // By the views of this moment: what the list shows may be a render behind.
  const watched = views.find(({ id }) => id === viewId)
  useWatched(viewId, watched, isSuccess && !isFetching, () => change({ tab: 'all' }))

  const inStrip = views.filter((view, at) => at < pinned || view.id === shown?.id)
  const left = views.length - inStrip.length
  if (views.length === 0) return null
  return (
    <>
      {inStrip.map((view) => (
        <TabButton
          key={view.id}
          label={view.id === shown?.id && isChanged ? `${view.name} *` : view.name}
          count={countView(rows, view.content, userId, moment)}
          isTotal
          isOn={view.id === shown?.id}
          isLong
          onClick={() => showView(view.id)}
        />
      ))}
      <span ref={place} className={menuLook}>
        <button
          type="button"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-label={`Visões salvas: ${left === 0 ? 'todas à vista' : `mais ${left}`}`}
          onClick={() => setOpen(!isOpen)}
          className="target inline-flex h-10 items-center gap-0.5 text-ink-2 tabular-nums hover:text-ink"
        >
          {left > 0 && `+${left}`}
          <ChevronDown aria-hidden size={14} />
        </button>
        {isOpen && (
          <ViewMenu
            place={place}
            views={views}
            shownId={shown?.id}
            rows={rows}
            moment={moment}
            onShow={showView}
            onEdit={setEdited}
            onClose={() => setOpen(false)}
          />
        )}
      </span>
      {edited && (
        <ViewDialog
          view={edited}
          content={edited.content}
          summary={edited.ownerId === userId ? 'Sua visão' : `De ${edited.ownerName}`}
          onSaved={() => undefined}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

/** Says what became of the view that the list shows: a colleague may have changed or deleted it. */
function useWatched(
  viewId: number | undefined,
  view: SavedView | undefined,
  areKnown: boolean,
  leave: () => void,
): void {
  const before = useRef<SavedView>(undefined)
  useEffect(() => {
    const known = before.current
    before.current = view
    if (viewId === undefined || !areKnown) return
    if (!view) {
      toast({
        tone: 'info',
        title: known ? `A visão ${known.name} foi excluída` : 'Esta visão não existe mais',
      })
      leave()
    } else if (known?.id === view.id && known.version !== view.version)
      toast({ tone: 'info', title: `A visão ${view.name} mudou` })
  })
}
