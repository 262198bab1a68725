import { Check, type LucideIcon } from 'lucide-react'
import { useCallback } from 'react'
import { useKeys } from '#web/platform/keys.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'

/** Where a person goes from a chat that they are done with. */
export interface GoOn {
  /** What going on does, after 'e'; undefined where there is nothing to go on to. */
  hint: string | undefined
  /** Whose conversation is next, if one is. */
  nextName: string | undefined
  /**
   * Leaves the chat.
   * @param isForNext for the next conversation, else for the list
   * @param isStaying asked at the moment of leaving: whether the person stays after all
   * @returns what keeps the person in the chat, unless they have left it
   */
  leave: (isForNext: boolean, isStaying?: () => boolean) => () => void
}

export type Ending = 'alone' | 'next'

/** The buttons that end an act on a chat: alone, or going on to the next conversation, as Ctrl+Enter does. */
export function EndButtons({
  verb,
  busyLabel,
  icon = Check,
  goOn,
  isOff = false,
  busy,
  onEnd,
}: {
  /** 'Finalizar' */
  verb: string
  busyLabel: string
  icon?: LucideIcon
  /** Absent: there is no chat to go on from. */
  goOn: GoOn | undefined
  isOff?: boolean
  /** Which of them is at it. */
  busy: Ending | undefined
  onEnd: (how: Ending) => void
}) {
  const hasNext = goOn?.hint !== undefined
  const usual = hasNext ? 'next' : 'alone'
  const onKey = useCallback(
    (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isOff || busy) return
      event.preventDefault()
      onEnd(usual)
    },
    [isOff, busy, onEnd, usual],
  )
  useKeys(onKey)
  const shared = (how: Ending) => ({
    disabled: isOff || (busy !== undefined && busy !== how),
    isBusy: busy === how,
    busyLabel,
    onClick: () => onEnd(how),
  })
  return (
    <>
      <Button
        {...shared('alone')}
        variant={hasNext ? 'outline' : 'primary'}
        icon={icon}
        {...(!hasNext && { 'aria-keyshortcuts': 'Control+Enter' })}
      >
        {verb}
      </Button>
      {hasNext && (
        <Button {...shared('next')} variant="primary" aria-keyshortcuts="Control+Enter">
          {verb} e próxima
        </Button>
      )}
    </>
  )
}

/** What Ctrl+Enter does, below the fields. */
export function GoOnHint({ verb, goOn }: { verb: string; goOn: GoOn | undefined }) {
  if (goOn?.hint === undefined) return null
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-xs text-ink-2 max-md:hidden pointer-coarse:hidden">
      <KeyCap>Ctrl Enter</KeyCap>
      <span className="min-w-0 truncate">
        {verb} e {goOn.hint}
      </span>
    </p>
  )
}
