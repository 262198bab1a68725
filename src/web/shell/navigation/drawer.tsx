import { Dialog as Radix } from 'radix-ui'
import { useReturnFocus } from '#web/ui/overlays/return-focus.ts'
import { SideBar } from './side-bar.tsx'

/** The side bar on small screens: slides in over the page. */
export function Drawer({ onClose }: { onClose: () => void }) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus()
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="animate-fade fixed inset-0 z-40 bg-overlay" />
        <Radix.Content
          aria-describedby={undefined}
          tabIndex={-1}
          onCloseAutoFocus={onCloseAutoFocus}
          onOpenAutoFocus={(event) => {
            onOpenAutoFocus()
            // Otherwise the focus would go to the first button and open its tooltip.
            event.preventDefault()
            if (event.target instanceof HTMLElement) event.target.focus()
          }}
          className={[
            'animate-drawer fixed inset-y-0 left-0 z-40 flex w-(--width-side)',
            'max-w-[85vw] flex-col bg-side shadow-float outline-none',
          ].join(' ')}
        >
          <Radix.Title className="sr-only">Menu</Radix.Title>
          <SideBar isFolded={false} onNavigate={onClose} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
