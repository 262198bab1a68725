import type { LiveEvent } from '#shared/live-events.ts'
import type { AlertChange } from './alerts.ts'

interface Alerts {
  judge: (change: AlertChange) => void
  notify: (event: LiveEvent) => void
}

let alerts: Alerts | undefined

/** Sets what rings and notifies while somebody is signed in. @returns the function that ends it */
export function setAlerts(given: Alerts): () => void {
  alerts = given
  return () => {
    if (alerts === given) alerts = undefined
  }
}

/** Rings and notifies for a pushed event. Call it before the event is shown, since it compares the two. */
export function alertAbout(event: LiveEvent): void {
  const change = alertChangeOf(event)
  if (change) alerts?.judge(change)
  alerts?.notify(event)
}

/** What a pushed event means for the alerts; undefined if nothing. */
export function alertChangeOf(event: LiveEvent): AlertChange | undefined {
  switch (event.type) {
    case 'new_conversation_with_sound': {
      const { conversation, playSound } = event.data
      return { kind: 'row', row: conversation, sound: playSound ? 'pushed' : 'none' }
    }
    case 'new_conversation':
      return { kind: 'row', row: event.data.conversation, sound: 'none' }
    case 'customer_message_notification':
    case 'message_received': {
      const { conversation, message } = event.data
      return { kind: 'row', row: conversation, sound: message.metadata.recovered ? 'silent' : 'ordinary' }
    }
    case 'new_conversation_notification':
    case 'new_message':
    case 'conversation_returned':
    case 'sla_near':
    case 'conversation_updated':
    case 'conversation_transferred':
      return { kind: 'row', row: event.data.conversation, sound: 'ordinary' }
    default:
      return undefined
  }
}
