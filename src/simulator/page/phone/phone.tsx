import { useEffect, useRef, useState } from 'react'
import type { By } from '#simulator/control-api.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { ChatLog } from '#simulator/page/chat/chat-log.tsx'
import type { MessageActions } from '#simulator/page/chat/message-actions.ts'
import { PinnedLine } from '#simulator/page/chat/pinned-line.tsx'
import { Composer } from '#simulator/page/composer/composer.tsx'
import type { ComposerTask } from '#simulator/page/composer/composer-task.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { useAction } from '#simulator/page/data/mutations.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { cn } from '#web/ui/cn.ts'
import { PhoneHeader } from './phone-header.tsx'

/** A client's phone with its chat open. Touching it marks messages as read. */
export function Phone({
  phone,
  companyName,
  nowMs,
  onHide,
}: {
  phone: PhoneView
  companyName: string
  nowMs: number
  onHide: (() => void) | undefined
}) {
  const [task, setTask] = useState<ComposerTask>()
  const [by, setBy] = useState<By>('phone')
  const field = useRef<HTMLTextAreaElement>(null)
  const { onFocus, onBlur, onPointerDown } = useReading(phone)
  function begin(next: ComposerTask) {
    setTask(next)
    field.current?.focus()
  }
  function switchTo(next: By) {
    setTask(undefined)
    setBy(next)
  }
  const actions: MessageActions = {
    by,
    onReply: (message) => begin({ kind: 'reply', message }),
    onEdit: (message) => begin({ kind: 'edit', message }),
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only marks messages as read
    <section
      aria-label={phone.name}
      onFocus={onFocus}
      onBlur={onBlur}
      onPointerDown={onPointerDown}
      className={cn(
        'flex min-h-0 w-[266px] shrink-0 flex-col gap-1 max-md:w-full max-md:max-w-[440px]',
        'max-md:shrink',
      )}
    >
      <h2 className="flex justify-center gap-1.5 px-3 text-xs" title={phone.name}>
        <span dir="auto" className="truncate font-medium">
          {phone.name}
        </span>
        <span className="shrink-0 text-ink-3 tabular-nums">{formatPhone(phone.number)}</span>
      </h2>
      <div
        className={cn(
          'flex min-h-0 flex-1 flex-col rounded-[26px] bg-ink p-[7px] shadow-float dark:bg-line-strong',
        )}
      >
        <div className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-[19px] bg-thread">
          <PhoneHeader phone={phone} companyName={companyName} by={by} onSwitch={switchTo} onHide={onHide} />
          <PinnedLine phoneId={phone.id} />
          <ChatLog phone={phone} companyName={companyName} nowMs={nowMs} actions={actions} />
          <Composer
            key={phone.id}
            phone={phone}
            companyName={companyName}
            by={by}
            onSwitchBack={() => switchTo('phone')}
            task={task}
            onTaskEnd={() => setTask(undefined)}
            fieldRef={field}
          />
        </div>
      </div>
    </section>
  )
}

/** Marks the chat as read when the phone is touched, and new messages while it is held. */
function useReading({ id, unread }: PhoneView) {
  const [isHeld, setIsHeld] = useState(false)
  const { run } = useAction()
  function read() {
    if (unread > 0) run(() => simulatorApi.open(id))
  }
  useEffect(() => {
    if (isHeld && unread > 0 && document.visibilityState === 'visible') run(() => simulatorApi.open(id))
  }, [run, id, isHeld, unread])
  return {
    onFocus: () => setIsHeld(true),
    onBlur: (event: React.FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setIsHeld(false)
    },
    onPointerDown: read,
  }
}
