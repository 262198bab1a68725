import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useRef, type ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'

/** The side panel on small screens: slides in from the left. */
export function SideDrawer({
  isOpen,
  onClose,
  children,
}: {
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}) {
  const panel = useRef<HTMLDivElement>(null)
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="animate-fade fixed inset-0 z-40 bg-overlay" />
        <Radix.Content
          aria-describedby={undefined}
          // Focusing the first control would open its tooltip.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            panel.current?.focus()
          }}
          ref={panel}
          className={cn(
            'animate-drawer fixed inset-y-0 left-0 z-40 flex w-[300px] max-w-[88vw] flex-col bg-side',
            'shadow-float outline-none',
          )}
        >
          <div
            className={cn(
              'flex h-(--height-bar) shrink-0 items-center justify-between border-b border-line pr-2 pl-4',
            )}
          >
            <Radix.Title className="text-base font-semibold">Celulares e falhas</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Fechar" icon={X} size="sm" />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
