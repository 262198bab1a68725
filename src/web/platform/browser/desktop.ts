import { storedChoice } from './stored.ts'

/**
 * Whether desktop notifications are shown while this tab is not being looked at, and whether they include
 * message text.
 */
export const desktopChoices = ['off', 'names', 'texts'] as const
export type DesktopChoice = (typeof desktopChoices)[number]

export const desktopChoice = storedChoice(
  'desktop_notifications',
  (stored): DesktopChoice => desktopChoices.find((choice) => choice === stored) ?? 'off',
)

/** Asks the browser for permission; must be called from a click. @returns whether it is granted */
export async function requestDesktopPermission(): Promise<boolean> {
  if (!('Notification' in window)) return false
  return (await Notification.requestPermission()) === 'granted'
}

export interface DesktopNotice {
  title: string
  body: string
  /** Replaces an earlier notification with the same tag, in all tabs. */
  tag: string
  onClick: () => void
}

/** Shows a notification if the user wants it, the browser allows it, and this tab is not being looked at. */
export function showDesktopNotice({ title, body, tag, onClick }: DesktopNotice): void {
  if (desktopChoice.get() === 'off' || !('Notification' in window)) return
  if (Notification.permission !== 'granted') return
  if (document.visibilityState === 'visible' && document.hasFocus()) return
  try {
    // Silent: sounds are those of the alerts, which can be switched off.
    const shown = new Notification(title, { body, tag, lang: 'pt-BR', silent: true })
    shown.onclick = () => {
      window.focus()
      onClick()
      shown.close()
    }
  } catch (error) {
    // Mobile browsers allow them only for installed pages.
    console.info('No notification here', error)
  }
}
