import { type ComponentType, useEffect, useState } from 'react'
import { useLiveStatus } from '#web/platform/live/live.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { shownNotices } from './shown-notices.ts'

/** The notices. Their code is loaded by whoever may have some: without sectors by administrators alone. */
export function Notices() {
  const { hasSectors } = useMe()
  const mayView = useCan('viewNotices')
  const isAdministrator = useCan('manageGateway')
  return mayView && (hasSectors || isAdministrator) ? <LoadedNotices /> : null
}

function LoadedNotices() {
  const [part, setPart] = useState<{ Bar: ComponentType }>()
  const link = useLiveStatus()
  useEffect(() => {
    if (part) return
    // After a failure it is tried again when the connection changes.
    import('./notices-bar.tsx').then(
      ({ NoticesBar }) => setPart({ Bar: NoticesBar }),
      () => undefined,
    )
  }, [part, link])
  if (part) return <part.Bar />
  const isPlaceKept = (shownNotices.get() ?? '[]') !== '[]'
  return isPlaceKept && <div className="h-[33px] shrink-0 border-b border-line" />
}
