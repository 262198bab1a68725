import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useSyncExternalStore } from 'react'
import { Button } from '#web/ui/buttons/button.tsx'
import { dismissToast, toastStore, type ShownToast } from './toast.ts'

const durationMs = 3000
const durationWithActionMs = 5000
const swipeThresholdPx = 50

const icons = {
  success: <CircleCheck size={16} aria-hidden className="mt-px text-green" />,
  error: <CircleAlert size={16} aria-hidden className="mt-px text-red" />,
  info: <Info size={16} aria-hidden className="mt-px text-blue" />,
}

/** Where notifications appear: one at a time, top right. F8 moves the focus there. */
export function Toaster() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.get)
  return (
    <Radix.Provider
      label="Notificação"
      duration={durationMs}
      swipeDirection="right"
      swipeThreshold={swipeThresholdPx}
    >
      {shown && <OneToast key={shown.id} toast={shown} />}
      <Radix.Viewport
        hotkey={['F8']}
        label="Notificações ({hotkey})"
        className="fixed top-3 right-3 z-[60] w-[calc(100vw-24px)] max-w-[420px] outline-none"
      />
    </Radix.Provider>
  )
}

function OneToast({ toast }: { toast: ShownToast }) {
  const { id, title, description, tone = 'success', action } = toast
  return (
    <Radix.Root
      type={tone === 'error' ? 'foreground' : 'background'}
      duration={action ? durationWithActionMs : durationMs}
      onOpenChange={(isOpen) => !isOpen && dismissToast(id)}
      className={[
        'animate-toast flex items-start gap-2.5 rounded-card bg-surface py-3 pr-2 pl-3.5 text-sm',
        'shadow-float data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
      ].join(' ')}
    >
      {icons[tone]}
      <div className="min-w-0 flex-1 wrap-anywhere">
        <Radix.Title className="font-semibold">{title}</Radix.Title>
        {description && <Radix.Description className="text-ink-2">{description}</Radix.Description>}
      </div>
      {action && (
        <Radix.Action asChild altText={action.label}>
          <Button variant="link" size="sm" className="-my-1" onClick={action.onClick}>
            {action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close
        aria-label="Fechar"
        className={[
          '-my-1 inline-grid size-7 shrink-0 place-items-center',
          'rounded-control text-ink-2 hover:bg-hover hover:text-ink',
        ].join(' ')}
      >
        <X size={16} aria-hidden />
      </Radix.Close>
    </Radix.Root>
  )
}
