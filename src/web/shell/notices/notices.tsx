import { type ComponentType, useEffect, useState } from 'react'
import { useLiveStatus } from '#web/platform/live/live.ts'
import { useCan } from '#web/users/users.tsx'
import { shownNotices } from './shown-notices.ts'

/** The notices for administrators; others do not load their code. */
export function Notices() {
  return useCan('viewNotices') ? <LoadedNotices /> : null
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
