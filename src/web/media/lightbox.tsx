import { ChevronLeft, ChevronRight, Download, RotateCw, X, ZoomIn, ZoomOut } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'

export interface LightboxPicture {
  id: number
  src: string
  /** URL of the file. */
  downloadUrl: string
  /** Text about it: the caption, or the sender. */
  label: string
}

const zooms = [1, 1.5, 2, 3, 4] as const

/** Full-screen pictures: previous and next by arrow keys, zoom, rotation and download. */
export function Lightbox({
  pictures,
  shownId,
  onShow,
  onClose,
}: {
  pictures: readonly LightboxPicture[]
  shownId: number
  onShow: (id: number) => void
  onClose: () => void
}) {
  const index = pictures.findIndex((picture) => picture.id === shownId)
  const picture = pictures[index]
  const step = (by: number) => {
    const next = pictures[index + by]
    if (next) onShow(next.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // With a modifier the keys belong to the browser.
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowLeft') step(-1)
    if (event.key === 'ArrowRight') step(1)
  }
  return (
    <Radix.Root open={picture !== undefined} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="animate-fade fixed inset-0 z-40 bg-stage" />
        <Radix.Content
          aria-describedby={undefined}
          data-theme="dark"
          onKeyDown={onKeyDown}
          // Keys are handled on the window; a focused button would show its tooltip over the picture.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          className="fixed inset-0 z-40 flex flex-col text-ink outline-none"
        >
          {picture && (
            <Viewer
              key={picture.id}
              picture={picture}
              place={`${index + 1} de ${pictures.length}`}
              onPrevious={index > 0 ? () => step(-1) : undefined}
              onNext={index < pictures.length - 1 ? () => step(1) : undefined}
            />
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Viewer({
  picture,
  place,
  onPrevious,
  onNext,
}: {
  picture: LightboxPicture
  place: string
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const [zoom, setZoom] = useState(0)
  const [turns, setTurns] = useState(0)
  const scale = zooms[zoom] ?? 1
  useEffect(() => {
    const onKeyDown = ({ key, altKey, ctrlKey, metaKey }: globalThis.KeyboardEvent) => {
      if (altKey || ctrlKey || metaKey) return
      if (key === '+' || key === '=') setZoom((now) => Math.min(now + 1, zooms.length - 1))
      if (key === '-') setZoom((now) => Math.max(now - 1, 0))
      if (key.toLowerCase() === 'r') setTurns((now) => now + 1)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-none items-center gap-1 px-3 py-2">
        <Radix.Title className="min-w-0 flex-1 truncate text-sm font-medium" dir="auto" title={picture.label}>
          {picture.label}
        </Radix.Title>
        <span className="px-2 text-xs text-ink-2 tabular-nums">{place}</span>
        <IconButton
          label="Diminuir"
          icon={ZoomOut}
          disabled={zoom === 0}
          onClick={() => setZoom(zoom - 1)}
          tooltipSide="bottom"
        />
        <IconButton
          label="Aumentar"
          icon={ZoomIn}
          disabled={zoom === zooms.length - 1}
          onClick={() => setZoom(zoom + 1)}
          tooltipSide="bottom"
        />
        <IconButton label="Girar" icon={RotateCw} onClick={() => setTurns(turns + 1)} tooltipSide="bottom" />
        <a
          href={picture.downloadUrl}
          download
          aria-label="Baixar"
          title="Baixar"
          className={[
            'inline-grid size-8 place-items-center rounded-control',
            'text-ink-2 hover:bg-hover hover:text-ink',
          ].join(' ')}
        >
          <Download aria-hidden size={16} />
        </a>
        <Radix.Close
          aria-label="Fechar"
          title="Fechar"
          className={[
            'inline-grid size-8 place-items-center rounded-control',
            'text-ink-2 hover:bg-hover hover:text-ink',
          ].join(' ')}
        >
          <X aria-hidden size={16} />
        </Radix.Close>
      </div>
      <div className="relative min-h-0 flex-1">
        <div
          className="grid h-full overflow-auto"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region needs focus
          tabIndex={scale > 1 ? 0 : -1}
          role="group"
          aria-label="Imagem"
        >
          <img
            src={picture.src}
            alt={picture.label}
            className="m-auto max-h-full max-w-full object-contain"
            style={{
              transform: `rotate(${turns * 90}deg)`,
              ...(scale > 1 && { maxWidth: 'none', maxHeight: 'none', width: `${scale * 100}%` }),
            }}
          />
        </div>
        {onPrevious && (
          <IconButton
            label="Imagem anterior"
            icon={ChevronLeft}
            tooltipSide="right"
            className="absolute top-1/2 left-3 bg-surface/80"
            onClick={onPrevious}
          />
        )}
        {onNext && (
          <IconButton
            label="Próxima imagem"
            icon={ChevronRight}
            tooltipSide="left"
            className="absolute top-1/2 right-3 bg-surface/80"
            onClick={onNext}
          />
        )}
      </div>
    </div>
  )
}
