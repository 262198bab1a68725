import { PanelLeft } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { HandOver, TakeNext } from '#web/conversations/conversations.tsx'
import { useKeys } from '#web/platform/keys.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { onDemand } from '#web/ui/on-demand.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { DemoRibbon } from './demo-ribbon.tsx'
import { Notices } from '#web/shell/notices/notices.tsx'
import { LoginLockedBanner } from './login-locked-banner.tsx'
import { SideBar } from '#web/shell/navigation/side-bar.tsx'
import { TopBar } from './top-bar.tsx'
import { useOverlay } from './use-overlay.ts'
import { sideLook, useSide } from './use-side.ts'

const Drawer = onDemand(async () => (await import('#web/shell/navigation/drawer.tsx')).Drawer)
const loadPalette = async () => (await import('#web/shell/palette/palette.tsx')).Palette
const Palette = onDemand(loadPalette)
const ShortcutsDialog = onDemand(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

/** After Ctrl one may press K and type on at once. */
function expectPalette({ key }: KeyboardEvent): void {
  if (key === 'Control' || key === 'Meta') void loadPalette().catch(() => undefined)
}

/** The frame of every screen: side bar, top bar, and connection banners. Paper has only the screen. */
export function Shell({
  above,
  children,
}: {
  /** Above every screen. */
  above: ReactNode
  children: ReactNode
}) {
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const { overlay, text, show } = useOverlay()
  const hide = () => show(undefined)
  useKeys(expectPalette)
  const { isWide, hasRoom, isFolded, setIsFolded, hasTopBar } = useSide()

  const foldButton = hasRoom && (
    <IconButton
      size={isFolded ? 'md' : 'sm'}
      icon={PanelLeft}
      label={isFolded ? 'Expandir menu' : 'Recolher menu'}
      tooltipSide="right"
      onClick={() => setIsFolded(!isFolded)}
    />
  )

  return (
    <div className="flex h-dvh flex-col print:block print:h-auto">
      <a
        href="#conteudo"
        className={[
          'sr-only focus:not-sr-only focus:absolute focus:top-2',
          'focus:left-2 focus:z-50 focus:rounded-control focus:bg-surface',
          'focus:px-3 focus:py-2 focus:text-sm focus:shadow-float',
        ].join(' ')}
      >
        Ir para o conteúdo
      </a>
      <div className="contents print:hidden">
        <DemoRibbon />
      </div>
      <div className="flex min-h-0 flex-1 print:block">
        {isWide && (
          <aside aria-label="Navegação principal" className={`${sideLook(isFolded)} print:hidden`}>
            <SideBar isFolded={isFolded} foldButton={foldButton} />
          </aside>
        )}
        {isDrawerOpen && !isWide && <Drawer onClose={() => setIsDrawerOpen(false)} />}
        <div className="flex min-w-0 flex-1 flex-col print:block">
          <div className="contents print:hidden">
            {hasTopBar && (
              <TopBar
                onMenu={isWide ? undefined : () => setIsDrawerOpen(true)}
                onGoTo={() => show('palette')}
              />
            )}
            <ConnectionBanner />
            <Notices />
            <LoginLockedBanner />
            {above}
          </div>
          <main
            id="conteudo"
            tabIndex={-1}
            className={['flex min-h-0 flex-1 flex-col outline-none *:min-h-0 *:flex-1', 'print:block'].join(
              ' ',
            )}
          >
            {children}
          </main>
        </div>
      </div>
      <HandOver />
      <TakeNext />
      {overlay === 'palette' && <Palette text={text} onClose={hide} />}
      {overlay === 'shortcuts' && <ShortcutsDialog onClose={hide} />}
    </div>
  )
}
